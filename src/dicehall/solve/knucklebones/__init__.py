"""Every position of classic Knucklebones: `cpu` and `gpu` sweep over the `blocks` of positions, `rows` are the inner
loops on a CPU, `file` keeps what they find, `length` bounds its errors, and `command` is what `dicehall solve` does.
"""
