"""Where actions land. One package per service: its interface, and its back ends."""
