"""A device is called by its browser and system, or nothing."""

from __future__ import annotations

import pytest

from dicehall.server.labels import device_label

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
APPLE = "AppleWebKit/605.1.15 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        ("Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0", "Firefox on Android"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", "Firefox on Linux"),
        (f"Mozilla/5.0 (iPhone; iPhone OS 18_1 like Mac OS X) {APPLE} FxiOS/133.0 Safari/605.1", "Firefox on iPhone"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/131.0.0.0 Safari/537.36", "Chrome on Windows"),
        (f"Mozilla/5.0 (Linux; Android 10; K) {WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36", "Chrome on Android"),
        (f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {WEBKIT} Chrome/131.0.0.0 Safari/537.36", "Chrome on Chromebook"),
        (f"Mozilla/5.0 (Windows NT 10.0) {WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0", "Edge on Windows"),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) {WEBKIT} Chrome/130 Safari/537 OPR/115", "Opera on Mac"),
        (f"Mozilla/5.0 (iPhone; iPhone OS 18_1 like Mac OS X) {APPLE} Version/18.1 Safari/604.1", "Safari on iPhone"),
        (f"Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) {APPLE} CriOS/131.0 Safari/604.1", "Chrome on iPad"),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {APPLE} Version/18.1 Safari/605.1.15", "Safari on Mac"),
        ("python-httpx/0.27", ""),
        ("Mozilla/5.0 (PlayStation 5) Safari/605.1", ""),
        ("curl/8 (Linux)", ""),
        ("", ""),
        ("<script>Firefox/ Linux", "Firefox on Linux"),
        ("x" * 10_000, ""),
    ],
)  # fmt: skip
def test_a_label(agent: str, label: str) -> None:
    assert device_label(agent) == label
