"""Exports of chats, read as messages: one file per format."""
