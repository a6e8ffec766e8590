"""The Responses API, as the Open Responses document of 2026-04-24 describes it."""
