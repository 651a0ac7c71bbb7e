"""`python -m backroll`, the same as `backroll`."""

from backroll.cli import main

if __name__ == "__main__":
    main()
