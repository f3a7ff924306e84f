"""The loop and execution control: select, complete, check, authorise, execute, record."""
