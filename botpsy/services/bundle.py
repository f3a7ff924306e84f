"""The services one assistant, or one world, has: all that a tool reaches the world by."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from botpsy.errors import ServiceError

if TYPE_CHECKING:
    from botpsy.services.bank import BankService
    from botpsy.services.base import Service
    from botpsy.services.business import BusinessService
    from botpsy.services.calendar import CalendarService
    from botpsy.services.contacts import ContactsService
    from botpsy.services.device import DeviceService
    from botpsy.services.documents import DocumentSearch
    from botpsy.services.files import FileService
    from botpsy.services.home import HomeService
    from botpsy.services.mail import MailService
    from botpsy.services.media import MediaService
    from botpsy.services.messages import MessageService
    from botpsy.services.notes import NoteService
    from botpsy.services.places import PlacesService
    from botpsy.services.reminders import ReminderService
    from botpsy.services.shop import ShopService
    from botpsy.services.travel import TravelService
    from botpsy.services.vehicle import VehicleService
    from botpsy.services.weather import WeatherService
    from botpsy.services.web import WebService


ONLY_IN_WORLDS = frozenset(
    {"bank", "business", "media", "places", "shop", "travel", "vehicle", "weather"}
)
"""Services with memory back ends alone: no home can connect them, so no home offers their tools."""


class Absent:
    """Stands where no service is connected; any use says so."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        raise ServiceError(
            f"No {self._name} is connected.", hint="Run `botpsy doctor` to see what is."
        )


def _absent(name: str) -> Any:
    return Absent(name)


@dataclass(frozen=True)
class Services:
    """One attribute per service. What is not given is absent: its tools are not offered."""

    bank: BankService = _absent("bank")
    business: BusinessService = _absent("business")
    calendar: CalendarService = _absent("calendar")
    contacts: ContactsService = _absent("contacts")
    device: DeviceService = _absent("device")
    documents: DocumentSearch = _absent("documents")
    files: FileService = _absent("files")
    home: HomeService = _absent("home")
    mail: MailService = _absent("mail")
    media: MediaService = _absent("media")
    messages: MessageService = _absent("messages")
    notes: NoteService = _absent("notes")
    places: PlacesService = _absent("places")
    reminders: ReminderService = _absent("reminders")
    shop: ShopService = _absent("shop")
    travel: TravelService = _absent("travel")
    vehicle: VehicleService = _absent("vehicle")
    weather: WeatherService = _absent("weather")
    web: WebService = _absent("web")

    def has(self, name: str) -> bool:
        """Whether the service is connected. A tool that needs none (``""``) always has it."""
        return name == "" or not isinstance(getattr(self, name, Absent(name)), Absent)

    def get(self, name: str) -> Service:
        """A service by name, for undo.

        Raises:
            ServiceError: there is no such service, or it is not connected.
        """
        if not self.has(name):
            raise ServiceError(f"No {name} is connected.", hint="Run `botpsy doctor`.")
        service: Service = getattr(self, name)
        return service

    def names(self) -> list[str]:
        """Names of the connected services, in order."""
        return [field.name for field in fields(self) if self.has(field.name)]
