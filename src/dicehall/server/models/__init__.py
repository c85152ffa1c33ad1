"""What the REST interface takes and gives, for its OpenAPI description. What goes over sockets too is a plain dataclass
here or in play/film.py, or a struct in wire.py."""
