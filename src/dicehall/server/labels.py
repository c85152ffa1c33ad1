"""What to call a device, so that its owner knows it among others."""

from __future__ import annotations

from typing import Final

# The first word that a browser's User-Agent holds says which it is: most of them name others too.
BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS: Final = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "Chromebook",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def device_label(user_agent: str) -> str:
    """As in `Firefox on Android`; empty for whatever is no browser that we know. Nothing else of it is kept."""
    browser = next((name for word, name in BROWSERS.items() if word in user_agent), "")
    system = next((name for word, name in SYSTEMS.items() if word in user_agent), "")
    return f"{browser} on {system}" if browser and system else ""
