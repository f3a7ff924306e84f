"""The customer's phone, and its tools: what can be seen and switched on it.

Result texts are the official ones, since what an agent reads is part of the task; the descriptions
are our own.
"""

from __future__ import annotations

from typing import Annotated, Any, get_args

from botpsy.evals.suites.tau2.phone import LivePhone
from botpsy.evals.suites.tau2.records import Apn, App, Mode, PaymentRequest, Phone, Signal

_BARS: dict[Signal, str] = {
    "none": "📵 No Signal",
    "poor": "📶¹ Poor",
    "fair": "📶² Fair",
    "good": "📶³ Good",
    "excellent": "📶⁴ Excellent",
}
_SIM = {
    "active": "Your SIM card is active and working.",
    "missing": "No SIM card detected in the phone.",
    "locked_pin": "The SIM card is locked with a PIN code.",
    "locked_puk": "The SIM card is locked with a PUK code.",
}
AppName = Annotated[str, "Name of an installed app"]


class Handset:
    """Its public methods are the tools."""

    def __init__(self, live: LivePhone) -> None:
        self._live = live

    # Tools: network

    def check_status_bar(self) -> str:
        """Read the icons on top of the screen: signal, mobile data, Wi-Fi, VPN, battery."""
        return f"Status Bar: {self._bar()}"

    def check_network_status(self) -> str:
        """Check the connections: airplane mode, SIM, signal, network type, mobile data, roaming,
        Wi-Fi."""
        phone = self._phone
        lines = [
            f"Airplane Mode: {_on(phone.airplane_mode)}",
            f"SIM Card Status: {self._live.sim()}",
            f"Cellular Connection: {phone.network_connection_status}",
            f"Cellular Signal: {phone.network_signal_strength}",
            f"Cellular Network Type: {phone.network_technology_connected}",
            f"Mobile Data Enabled: {_yes(phone.data_enabled)}",
            f"Data Roaming Enabled: {_yes(phone.roaming_enabled)}",
            f"Wi-Fi Radio: {_on(phone.wifi_enabled)}",
            f"Wi-Fi Connected: {_yes(phone.wifi_connected)}",
        ]
        if phone.wifi_connected:
            lines.append(f"Connected Wi-Fi Network: {phone.wifi_ssid}")
        return "\n".join(lines)

    def check_network_mode_preference(self) -> str:
        """Check which kinds of network the phone prefers."""
        return f"Network Mode Preference: {self._phone.network_mode_preference}"

    def set_network_mode_preference(
        self, mode: Annotated[str, "4g_5g_preferred, 4g_only, 3g_only or 2g_only"]
    ) -> str:
        """Set which kinds of network the phone prefers. Newer ones are faster."""
        modes = get_args(Mode)
        if mode not in modes:
            return self._with_bar(
                f"Failed to set network mode: '{mode}' is not a valid option."
                f" Please use one of: {', '.join(modes)}"
            )
        self._phone.network_mode_preference = next(each for each in modes if each == mode)
        self._live.search()
        return self._with_bar(f"Preferred Network Mode set to: {mode}")

    def run_speed_test(self) -> str:
        """Measure how fast mobile data is."""
        measured = self._live.speed()
        if measured is None:
            return "Speed test failed: No Connection."
        speed, word, advice = measured
        return f"Speed Test Result: {speed:.2f} Mbps ({word}). {advice}"

    def toggle_airplane_mode(self) -> str:
        """Switch airplane mode on or off. It cuts all radio connections."""
        return self._with_bar(f"Airplane Mode is now {_on(self._live.toggle_airplane_mode())}.")

    # Tools: SIM and mobile data

    def check_sim_status(self) -> str:
        """Check the SIM card: active, missing, or locked with a PIN or PUK."""
        return _SIM[self._live.sim()]

    def reseat_sim_card(self) -> str:
        """Take the SIM card out and put it in again."""
        self._phone.sim_card_missing = False
        self._live.search()
        return self._with_bar("SIM card re-seated successfully.")

    def toggle_data(self) -> str:
        """Switch mobile data on or off."""
        return self._with_bar(f"Mobile Data is now {_on(self._live.toggle_data())}.")

    def toggle_roaming(self) -> str:
        """Switch data roaming on or off: mobile data in other carriers' networks."""
        return self._with_bar(f"Data Roaming is now {_on(self._live.toggle_roaming())}.")

    def check_data_restriction_status(self) -> str:
        """Check whether something limits the use of data, such as Data Saver."""
        if self._phone.data_saver_mode:
            return "Data Saver mode is ON (limits data usage)."
        return "Data Saver mode is OFF."

    def toggle_data_saver_mode(self) -> str:
        """Switch Data Saver on or off. It makes data slower."""
        return self._with_bar(f"Data Saver Mode is now {_on(self._live.toggle_data_saver())}.")

    def check_apn_settings(self) -> str:
        """Check the access point's name and the address for picture messages."""
        apn = self._phone.active_apn_settings
        return (
            f"Current APN Name: {apn.apn_name}\n"
            f"MMSC URL (for picture messages): {apn.mmsc_url or 'Not Set'}\n"
            "(These are technical settings, usually best left unchanged.)"
        )

    def set_apn_settings(
        self,
        apn_settings: Annotated[
            dict[str, Any],
            "Any of apn_name (internet or broken), reset_at_reboot, mms_apn, mmsc_url, mms_proxy"
            " and mms_port; what is left out gets its default",
        ],
    ) -> str:
        """Set the access point's settings."""
        self._phone.active_apn_settings = Apn(**apn_settings)
        self._live.search()
        return self._with_bar(f"APN settings set to: {self._phone.active_apn_settings.apn_name}")

    def reset_apn_settings(self) -> str:
        """Have the access point's settings go back to their defaults at the next restart."""
        self._phone.active_apn_settings.reset_at_reboot = True
        self._live.search()
        return self._with_bar("APN settings will reset at reboot.")

    # Tools: Wi-Fi and VPN

    def check_wifi_status(self) -> str:
        """Check whether Wi-Fi is on, its network and its signal."""
        phone = self._phone
        if not phone.wifi_enabled:
            return "Wi-Fi is turned OFF."
        if not phone.wifi_connected:
            return "Wi-Fi is ON but not connected to any network."
        return (
            f"Wi-Fi is ON and connected to '{phone.wifi_ssid}'."
            f" Signal strength: {phone.wifi_signal_strength}."
        )

    def toggle_wifi(self) -> str:
        """Switch Wi-Fi on or off."""
        phone = self._phone
        if phone.airplane_mode:
            return self._with_bar("Cannot change Wi-Fi settings while Airplane Mode is ON.")
        phone.wifi_enabled = not phone.wifi_enabled
        if not phone.wifi_enabled:
            self._live.leave_wifi()
        return self._with_bar(f"Wi-Fi is now {_on(phone.wifi_enabled)}.")

    def check_wifi_calling_status(self) -> str:
        """Check whether calls may go over Wi-Fi."""
        return f"Wi-Fi Calling is currently turned {_on(self._phone.wifi_calling_enabled)}."

    def toggle_wifi_calling(self) -> str:
        """Switch calls over Wi-Fi on or off."""
        self._phone.wifi_calling_enabled = not self._phone.wifi_calling_enabled
        return self._with_bar(f"Wi-Fi Calling is now {_on(self._phone.wifi_calling_enabled)}.")

    def check_vpn_status(self) -> str:
        """Check whether a VPN is connected, and which."""
        phone = self._phone
        if not phone.vpn_connected:
            if phone.vpn_enabled_setting:
                return "VPN is turned ON in settings, but currently not connected."
            return "VPN is turned OFF."
        vpn = phone.vpn_details
        if vpn is None:
            return "VPN is ON and connected (no specific details available)."
        level = vpn.server_performance
        return (
            "VPN is ON and connected. Details:"
            f" {{'server_address': {vpn.server_address!r}, 'protocol': {vpn.protocol!r},"
            f" 'server_performance': <PerformanceLevel.{level.upper()}: {level!r}>}}"
        )

    def connect_vpn(self) -> str:
        """Connect to the VPN."""
        if self._phone.vpn_connected:
            return "VPN already connected."
        self._live.connect_vpn()
        return self._with_bar("VPN connected successfully.")

    def disconnect_vpn(self) -> str:
        """Disconnect from the VPN."""
        if not self._phone.vpn_connected:
            return self._with_bar("No active VPN connection to disconnect.")
        self._live.disconnect_vpn()
        return self._with_bar("VPN disconnected successfully.")

    # Tools: apps and messages

    def check_installed_apps(self) -> str:
        """List the installed apps."""
        names = ", ".join(self._phone.app_statuses)
        return f"The following apps are installed on the phone: {names}"

    def check_app_status(self, app_name: AppName) -> str:
        """Check an app in detail."""
        app = self._phone.app_statuses.get(app_name)
        if app is None:
            return f"App '{app_name}' not found on this phone."
        granted = _granted(app)
        lines = [f"   - {each}" for each in granted]
        head = " - Permissions Granted:" if granted else " - Permissions: None granted."
        return "\n".join([f"Status for App: {app_name}", head, *lines])

    def check_app_permissions(self, app_name: AppName) -> str:
        """Check what an app may do."""
        app = self._phone.app_statuses.get(app_name)
        if app is None:
            return f"App '{app_name}' not found on this phone."
        if granted := _granted(app):
            return f"App '{app_name}' has permission for: {', '.join(granted)}."
        return f"App '{app_name}' currently has no permissions granted."

    def grant_app_permission(
        self, app_name: AppName, permission: Annotated[str, "In lower case, such as storage"]
    ) -> str:
        """Let an app do something, such as use the storage."""
        app = self._phone.app_statuses.get(app_name)
        permission = permission.lower()
        if app is None:
            text = f"Error. App '{app_name}' not found. Cannot grant permission."
        elif permission not in (known := list(type(app.permissions).model_fields)):
            text = (
                f"Error. Permission '{permission}' not tracked for app '{app_name}',"
                f" available permissions: {known}"
            )
        else:
            setattr(app.permissions, permission, True)
            text = f"Success. Permission '{permission}' granted to app '{app_name}'."
        return self._with_bar(text)

    def can_send_mms(self) -> str:
        """Check whether picture messages can be sent."""
        word = "can" if self._live.mms() else "cannot"
        return f"Your messaging app {word} send MMS messages."

    def reboot_device(self) -> str:
        """Restart the phone."""
        lines = ["Restarting network services..."]
        if self._phone.active_apn_settings.reset_at_reboot:
            lines.insert(0, "Resetting APN settings...")
            self._phone.active_apn_settings = Apn()
        self._live.search()
        return self._with_bar("\n".join(lines))

    # Tools: paying

    def check_payment_request(self) -> str:
        """Check whether the company asks for a payment."""
        request = self._request
        if request is None:
            return "No payment request has been made."
        return f"You have a payment request for bill {request.bill_id} of {request.amount_due} USD."

    def make_payment(self) -> str:
        """Pay the bill that the company asks to be paid."""
        request = self._request
        if request is None:
            return "You do not have a payment request."
        request.paid = True
        return f"Payment of {request.amount_due} USD has been made for bill {request.bill_id}."

    # What the tools are made of

    @property
    def _phone(self) -> Phone:
        return self._live.user.device

    @property
    def _request(self) -> PaymentRequest | None:
        return self._live.user.surroundings.payment_request

    def _with_bar(self, text: str) -> str:
        return f"{text}\nStatus Bar: {self._bar()}"

    def _bar(self) -> str:
        phone = self._phone
        shown = []
        if phone.airplane_mode:
            shown.append("✈️ Airplane Mode")
        else:
            shown.append(_BARS[phone.network_signal_strength])
            online = phone.network_technology_connected != "none"
            if online:
                shown.append(phone.network_technology_connected)
            if online and phone.data_enabled:
                shown += ["📱 Data Enabled"] + ["🔽 Data Saver"] * phone.data_saver_mode
            else:
                shown.append("📵 Data Disabled")
        if phone.wifi_enabled and phone.wifi_connected:
            shown.append(f"📡 Connected to {phone.wifi_ssid}" if phone.wifi_ssid else "📡 Enabled")
        if phone.vpn_connected:
            shown.append("🔒 VPN Connected")
        return " | ".join([*shown, f"🔋 {phone.battery_level}%"])


def _on(value: bool) -> str:
    return "ON" if value else "OFF"


def _yes(value: bool) -> str:
    return "Yes" if value else "No"


def _granted(app: App) -> list[str]:
    return [name for name, value in app.permissions.model_dump().items() if value]
