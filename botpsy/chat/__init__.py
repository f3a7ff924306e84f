"""The model's language: messages, wire format, parser, schema gate. Knows no engine."""
