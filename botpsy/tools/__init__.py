"""What can be done. One module per domain: typed functions over ``services``.

``catalogue()`` gives every tool botpsy ships, by name.
"""
