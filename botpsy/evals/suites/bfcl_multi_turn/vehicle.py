"""The car of BFCL's multi-turn cases.

Its names are those of the official tools. Stopping the engine stops it and answers with an error,
as there; neither fuel nor battery keeps it from starting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any

Answer = dict[str, Any]

_TANK = 50
_MILES_PER_GALLON = 20.0
_FULL_FORCE = 1000
_ZIP_CODES = {
    "Rivermist": "83214", "Stonebrook": "74532", "Maplecrest": "56108", "Silverpine": "62947",
    "Shadowridge": "71354", "Sunset Valley": "83462", "Oakendale": "47329", "Willowbend": "52013",
    "Crescent Hollow": "69238", "Autumnville": "51479", "San Francisco": "94016",
}  # fmt: skip
_KILOMETRES = {
    frozenset(pair): float(distance)
    for *pair, distance in (
        ("83214", "74532", 750), ("56108", "62947", 320), ("71354", "83462", 450),
        ("47329", "52013", 290), ("69238", "51479", 630), ("94016", "83214", 980),
        ("94016", "74532", 880), ("94016", "62947", 780), ("62947", "47329", 1053),
    )
}  # fmt: skip


class VehicleControlAPI:
    """One car."""

    def __init__(self, config: Mapping[str, Any], long: Mapping[str, Any] | None = None) -> None:
        given = deepcopy(dict(config))
        self._random = Random(given.get("random_seed", 141053))  # noqa: S311
        self._long = long
        self.fuelLevel = given.get("fuelLevel", 0.0)
        self.batteryVoltage = given.get("batteryVoltage", 12.6)
        self.engine_state = given.get("engineState", "stopped")
        self.doorStatus = given.get(
            "doorStatus",
            dict.fromkeys(("driver", "passenger", "rear_left", "rear_right"), "unlocked"),
        )
        self.remainingUnlockedDoors = self._unlocked()
        self.acTemperature = given.get("acTemperature", 25.0)
        self.fanSpeed = given.get("fanSpeed", 50)
        self.acMode = given.get("acMode", "auto")
        self.humidityLevel = given.get("humidityLevel", 50.0)
        self.headLightStatus = given.get("headLightStatus", "off")
        self.parkingBrakeStatus = given.get("parkingBrakeStatus", "released")
        self._parking_force = given.get("parkingBrakeForce", 0.0)
        self._slope = given.get("slopeAngle", 0.0)
        self.brakePedalStatus = given.get("brakePedalStatus", "released")
        self._pedal_force = given.get("brakePedalForce", 0.0)
        self.distanceToNextVehicle = given.get("distanceToNextVehicle", 50.0)
        self.cruiseStatus = given.get("cruiseStatus", "inactive")
        self.destination = given.get("destination", "None")
        self.frontLeftTirePressure = given.get("frontLeftTirePressure", 32.0)
        self.frontRightTirePressure = given.get("frontRightTirePressure", 32.0)
        self.rearLeftTirePressure = given.get("rearLeftTirePressure", 30.0)
        self.rearRightTirePressure = given.get("rearRightTirePressure", 30.0)

    def startEngine(self, ignitionMode: str) -> Answer:  # noqa: N802, N803
        if ignitionMode == "STOP":
            self.engine_state = "stopped"
        if self._unlocked():
            still = ", ".join(door for door, is_ in self.doorStatus.items() if is_ == "unlocked")
            why = "All doors must be locked before starting the engine."
            return {"error": f"{why} Here are the unlocked doors: {still}"}
        if self.brakePedalStatus != "pressed":
            return {"error": "Brake pedal needs to be pressed when starting the engine."}
        if self._pedal_force != _FULL_FORCE:
            return {"error": "Must press the brake fully before starting the engine."}
        if self.fuelLevel < 0:
            return {"error": "Fuel tank is empty."}
        if ignitionMode != "START":
            return {"error": "Invalid ignition mode."}
        self.engine_state = "running"
        return {
            "engineState": self.engine_state,
            "fuelLevel": self.fuelLevel,
            "batteryVoltage": self.batteryVoltage,
        }

    def fillFuelTank(self, fuelAmount: float) -> Answer:  # noqa: N802, N803
        if fuelAmount < 0:
            return {"error": "Fuel amount cannot be negative."}
        if self.fuelLevel + fuelAmount > _TANK:
            return {"error": "Cannot fill gas above the tank capacity."}
        self.fuelLevel += fuelAmount
        return {"fuelLevel": self.fuelLevel}

    def lockDoors(self, unlock: bool, door: Sequence[str]) -> Answer:  # noqa: N802
        wanted = "unlocked" if unlock else "locked"
        for each in door:
            if self.doorStatus[each] != wanted:
                self.doorStatus[each] = wanted
                self.remainingUnlockedDoors += 1 if unlock else -1
        return {"lockStatus": wanted, "remainingUnlockedDoors": self.remainingUnlockedDoors}

    def adjustClimateControl(  # noqa: N802
        self,
        temperature: float,
        unit: str = "celsius",
        fanSpeed: int = 50,  # noqa: N803
        mode: str = "auto",
    ) -> Answer:
        if not 0 <= fanSpeed <= 100:
            return {"error": "Fan speed must be between 0 and 100."}
        celsius = (temperature - 32) * 5 / 9 if unit == "fahrenheit" else temperature
        self.acTemperature, self.fanSpeed, self.acMode = celsius, fanSpeed, mode
        return {
            "currentACTemperature": temperature,
            "climateMode": mode,
            "humidityLevel": self.humidityLevel,
        }

    def get_outside_temperature_from_google(self) -> Answer:
        days = deepcopy(self._long["weather"]) if self._long is not None else {}
        return days | {"outsideTemperature": self._random.uniform(-10, 40)}

    def get_outside_temperature_from_weather_com(self) -> Answer:
        return {"error": 404}

    def setHeadlights(self, mode: str) -> Answer:  # noqa: N802
        if mode not in ("on", "off", "auto"):
            return {"error": "Invalid headlight mode."}
        self.headLightStatus = "on" if mode == "on" else "off"
        return {"headlightStatus": self.headLightStatus}

    def displayCarStatus(self, option: str) -> Answer:  # noqa: N802
        shown: dict[str, Answer] = {
            "fuel": {"fuelLevel": self.fuelLevel},
            "battery": {"batteryVoltage": self.batteryVoltage},
            "doors": {"doorStatus": self.doorStatus},
            "climate": {
                "currentACTemperature": self.acTemperature,
                "fanSpeed": self.fanSpeed,
                "climateMode": self.acMode,
                "humidityLevel": self.humidityLevel,
            },
            "headlights": {"headlightStatus": self.headLightStatus},
            "parkingBrake": {
                "parkingBrakeStatus": self.parkingBrakeStatus,
                "parkingBrakeForce": self._parking_force,
                "slopeAngle": self._slope,
            },
            "brakePedal": {
                "brakePedalStatus": self.brakePedalStatus,
                "brakePedalForce": self._pedal_force,
            },
            "engine": {"engineState": self.engine_state},
        }
        more = {"metadata": self._long["car"]} if self._long is not None else {}
        return more | shown.get(option, {"error": "Invalid option"})

    def activateParkingBrake(self, mode: str) -> Answer:  # noqa: N802
        if mode not in ("engage", "release"):
            return {"error": "Invalid mode"}
        engaged = mode == "engage"
        self.parkingBrakeStatus = "engaged" if engaged else "released"
        self._parking_force, self._slope = (500.0 if engaged else 0.0), 10.0
        more = {"parkingBrakeInstruction": self._long["brake"]} if self._long is not None else {}
        return more | {
            "parkingBrakeStatus": self.parkingBrakeStatus,
            "_parkingBrakeForce": self._parking_force,
            "_slopeAngle": self._slope,
        }

    def pressBrakePedal(self, pedalPosition: float) -> Answer:  # noqa: N802, N803
        if not 0 <= pedalPosition <= 1:
            return {"error": "Pedal position must be between 0 and 1."}
        if pedalPosition == 0:
            return self.releaseBrakePedal()
        self.brakePedalStatus, self._pedal_force = "pressed", pedalPosition * _FULL_FORCE
        return {"brakePedalStatus": "pressed", "brakePedalForce": float(self._pedal_force)}

    def releaseBrakePedal(self) -> Answer:  # noqa: N802
        self.brakePedalStatus, self._pedal_force = "released", 0.0
        return {"brakePedalStatus": "released", "brakePedalForce": 0.0}

    def setCruiseControl(  # noqa: N802
        self,
        speed: float,
        activate: bool,
        distanceToNextVehicle: float,  # noqa: N803
    ) -> Answer:
        if self.engine_state == "stopped":
            return {"error": "Start the engine before activating the cruise control."}
        self.distanceToNextVehicle = distanceToNextVehicle
        if activate and (speed < 0 or speed > 120 or speed % 5 != 0):
            return {"error": "Invalid speed"}
        self.cruiseStatus = "active" if activate else "inactive"
        return {
            "cruiseStatus": self.cruiseStatus,
            "currentSpeed": float(speed),
            "distanceToNextVehicle": float(distanceToNextVehicle),
        }

    def get_current_speed(self) -> Answer:
        return {"currentSpeed": self._random.uniform(0, 120)}

    def display_log(self, messages: Sequence[str]) -> Answer:
        return {"log": messages}

    def estimate_drive_feasibility_by_mileage(self, distance: float) -> Answer:
        return {"canDrive": not self.fuelLevel * _MILES_PER_GALLON < distance}

    def liter_to_gallon(self, liter: float) -> Answer:
        return {"gallon": liter * 0.264172}

    def gallon_to_liter(self, gallon: float) -> Answer:
        return {"liter": gallon * 3.78541}

    def estimate_distance(self, cityA: str, cityB: str) -> Answer:  # noqa: N803
        found = _KILOMETRES.get(frozenset((cityA, cityB)))
        answer: Answer = {"error": "distance not found in database."}
        if found is not None:
            answer = {"distance": found}
        if self._long is not None:
            answer["intermediaryCities"] = self._long["cities"]
        return answer

    def get_zipcode_based_on_city(self, city: str) -> Answer:
        return {"zipcode": _ZIP_CODES.get(city, "00000")}

    def set_navigation(self, destination: str) -> Answer:
        self.destination = destination
        return {"status": f"Navigating to {destination}"}

    def check_tire_pressure(self) -> Answer:
        tires = {
            "frontLeftTirePressure": self.frontLeftTirePressure,
            "frontRightTirePressure": self.frontRightTirePressure,
            "rearLeftTirePressure": self.rearLeftTirePressure,
            "rearRightTirePressure": self.rearRightTirePressure,
        }
        healthy = 30 <= sum(tires.values()) / 4 <= 35
        car = self._long["car"] if self._long is not None else {}
        return tires | {"healthy_tire_pressure": healthy, "car_info": car}

    def find_nearest_tire_shop(self) -> Answer:
        return {"shopLocation": "456 Oakwood Avenue, Rivermist, 83214"}

    def _unlocked(self) -> int:
        return sum(is_ == "unlocked" for is_ in self.doorStatus.values())
