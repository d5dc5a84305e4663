"""How people and programs reach `Memory`."""
