"""How the customer's phone works: what its connection, its speed and its messages follow from."""

from __future__ import annotations

from botpsy.evals.suites.tau2.records import Mode, Signal, Technology, User, Vpn

_MBPS: dict[Technology, tuple[float, float]] = {
    "none": (0.0, 0.0),
    "2G": (0.1, 0.4),
    "3G": (1.0, 5.0),
    "4G": (10.0, 100.0),
    "5G": (50.0, 500.0),
}
"""From and to, of each technology."""
_SHARE: dict[Signal, float] = {
    "none": 0.0,
    "poor": 0.2,
    "fair": 0.5,
    "good": 0.8,
    "excellent": 1.0,
}
"""Of that speed, with each signal."""
_SPEEDS = (
    (1, "Very Poor", "Connection is very slow. Basic web browsing might be difficult."),
    (5, "Poor", "Connection is slow. Web browsing may be sluggish, streaming difficult."),
    (25, "Fair", "Connection is okay for web browsing and some standard definition streaming."),
    (100, "Good", "Connection is good for most activities, including HD streaming."),
    (float("inf"), "Excellent", "Connection is very fast."),
)
"""Below so many Mbit/s."""
_TECHNOLOGY: dict[Mode, Technology] = {"4g_only": "4G", "3g_only": "3G", "2g_only": "2G"}


class LivePhone:
    """A phone at work.

    Attributes:
        user: its state and its surroundings.
    """

    def __init__(self, user: User) -> None:
        self.user = user
        self._vpn = Vpn(
            server_address="192.168.1.1", protocol="OpenVPN", server_performance="excellent"
        )
        """The one there is to connect to. Once it is poor it stays so."""

    def sim(self) -> str:
        return "missing" if self.user.device.sim_card_missing else self.user.device.sim_card_status

    def search(self) -> None:
        """Look for a network: the connection follows from SIM, settings and line."""
        phone, signals = self.user.device, self.user.surroundings.signal_strength
        cut = (
            self.sim() != "active"
            or phone.airplane_mode
            or phone.active_apn_settings.apn_name == "broken"
            or not self.user.surroundings.line_active
        )
        if cut:
            phone.network_connection_status = "no_service"
            phone.network_technology_connected = "none"
            phone.network_signal_strength = "none"
            return
        newest: Technology = "4G" if signals.get("5G", "none") == "none" else "5G"
        technology = _TECHNOLOGY.get(phone.network_mode_preference, newest)
        phone.network_connection_status = "connected"
        phone.network_technology_connected = technology
        phone.network_signal_strength = signals.get(technology, "none")

    def online(self) -> bool:
        """Whether mobile data works."""
        phone, around = self.user.device, self.user.surroundings
        abroad = not around.is_abroad or (phone.roaming_enabled and around.roaming_allowed)
        return (
            not phone.airplane_mode
            and phone.network_signal_strength != "none"
            and phone.network_connection_status != "no_service"
            and abroad
            and phone.data_enabled
            and not around.mobile_data_usage_exceeded
        )

    def speed(self) -> tuple[float, str, str] | None:
        """Mbit/s, in a word, and what it is good for; None without mobile data."""
        if not self.online():
            return None
        phone = self.user.device
        vpn = phone.vpn_details if phone.vpn_connected else None
        factor = 0.1 if vpn and vpn.server_performance == "poor" else 1.0
        factor *= 0.2 if phone.data_saver_mode else 1.0
        share = _SHARE[phone.network_signal_strength]
        speed = round(sum(_MBPS[phone.network_technology_connected]) / 2.0 * share * factor, 2)
        return next((speed, word, advice) for most, word, advice in _SPEEDS if speed < most)

    def mms(self) -> bool:
        """Whether picture messages can be sent."""
        phone = self.user.device
        app = phone.app_statuses.get("messaging")
        return (
            self.online()
            and phone.network_technology_connected != "2G"
            and not (phone.wifi_calling_enabled and phone.wifi_calling_mms_over_wifi)
            and phone.active_apn_settings.mmsc_url is not None
            and app is not None
            and app.permissions.storage
            and app.permissions.sms
        )

    def toggle_airplane_mode(self) -> bool:
        phone = self.user.device
        phone.airplane_mode = not phone.airplane_mode
        if phone.airplane_mode or phone.wifi_enabled:
            self.leave_wifi()
        if phone.airplane_mode and phone.vpn_connected:
            self.disconnect_vpn()
        self.search()
        return phone.airplane_mode

    def toggle_data(self) -> bool:
        self.user.device.data_enabled = not self.user.device.data_enabled
        self.search()
        return self.user.device.data_enabled

    def toggle_roaming(self) -> bool:
        self.user.device.roaming_enabled = not self.user.device.roaming_enabled
        self.search()
        return self.user.device.roaming_enabled

    def toggle_data_saver(self) -> bool:
        self.user.device.data_saver_mode = not self.user.device.data_saver_mode
        return self.user.device.data_saver_mode

    def leave_wifi(self) -> None:
        self.user.device.wifi_connected = False
        self.user.device.wifi_ssid = None
        self.user.device.wifi_signal_strength = "none"

    def connect_vpn(self) -> None:
        self.user.device.vpn_connected = True
        self.user.device.vpn_details = self._vpn

    def disconnect_vpn(self) -> None:
        self.user.device.vpn_connected = False
        self.user.device.vpn_details = None
