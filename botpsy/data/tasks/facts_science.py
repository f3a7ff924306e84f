"""Facts of natural science, as compact tables. One row a line, columns split by ``|``."""

from __future__ import annotations


def rows(text: str) -> tuple[tuple[str, ...], ...]:
    """A table's rows."""
    return tuple(tuple(line.split("|")) for line in text.strip().splitlines())


def words(text: str) -> tuple[str, ...]:
    """A list's words."""
    return tuple(text.split())


ELEMENTS = tuple(
    tuple(each.split("-"))
    for each in [
        "H-hydrogen",
        "He-helium",
        "Li-lithium",
        "Be-beryllium",
        "B-boron",
        "C-carbon",
        "N-nitrogen",
        "O-oxygen",
        "F-fluorine",
        "Ne-neon",
        "Na-sodium",
        "Mg-magnesium",
        "Al-aluminium",
        "Si-silicon",
        "P-phosphorus",
        "S-sulfur",
        "Cl-chlorine",
        "Ar-argon",
        "K-potassium",
        "Ca-calcium",
        "Sc-scandium",
        "Ti-titanium",
        "V-vanadium",
        "Cr-chromium",
        "Mn-manganese",
        "Fe-iron",
        "Co-cobalt",
        "Ni-nickel",
        "Cu-copper",
        "Zn-zinc",
        "Ga-gallium",
        "Ge-germanium",
        "As-arsenic",
        "Se-selenium",
        "Br-bromine",
        "Kr-krypton",
        "Rb-rubidium",
        "Sr-strontium",
        "Y-yttrium",
        "Zr-zirconium",
        "Nb-niobium",
        "Mo-molybdenum",
        "Tc-technetium",
        "Ru-ruthenium",
        "Rh-rhodium",
        "Pd-palladium",
        "Ag-silver",
        "Cd-cadmium",
        "In-indium",
        "Sn-tin",
        "Sb-antimony",
        "Te-tellurium",
        "I-iodine",
        "Xe-xenon",
        "Cs-caesium",
        "Ba-barium",
        "La-lanthanum",
        "Ce-cerium",
        "Pr-praseodymium",
        "Nd-neodymium",
        "Pm-promethium",
        "Sm-samarium",
        "Eu-europium",
        "Gd-gadolinium",
        "Tb-terbium",
        "Dy-dysprosium",
        "Ho-holmium",
        "Er-erbium",
        "Tm-thulium",
        "Yb-ytterbium",
        "Lu-lutetium",
        "Hf-hafnium",
        "Ta-tantalum",
        "W-tungsten",
        "Re-rhenium",
        "Os-osmium",
        "Ir-iridium",
        "Pt-platinum",
        "Au-gold",
        "Hg-mercury",
        "Tl-thallium",
        "Pb-lead",
        "Bi-bismuth",
        "Po-polonium",
        "At-astatine",
        "Rn-radon",
        "Fr-francium",
        "Ra-radium",
        "Ac-actinium",
        "Th-thorium",
        "Pa-protactinium",
        "U-uranium",
        "Np-neptunium",
        "Pu-plutonium",
        "Am-americium",
        "Cm-curium",
        "Bk-berkelium",
        "Cf-californium",
        "Es-einsteinium",
        "Fm-fermium",
        "Md-mendelevium",
        "No-nobelium",
        "Lr-lawrencium",
    ]
)
"""(symbol, name), in the order of atomic numbers, from 1."""

NOBLE = (2, 10, 18, 36, 54, 86)
"""Atomic numbers that end the periods 1 to 6."""

GROUPS = {
    "alkali metals": "lithium sodium potassium rubidium caesium",
    "alkaline earth metals": "beryllium magnesium calcium strontium barium",
    "halogens": "fluorine chlorine bromine iodine astatine",
    "noble gases": "helium neon argon krypton xenon radon",
    "lanthanides": "cerium praseodymium neodymium europium gadolinium terbium erbium",
    "actinides": "thorium protactinium uranium neptunium plutonium americium curium",
}

MASSES = {"H": 1, "C": 12, "N": 14, "O": 16, "Na": 23, "Mg": 24, "Al": 27, "S": 32, "K": 39,
          "Ca": 40, "Fe": 56}  # fmt: skip
"""Relative atomic masses, rounded."""

COMPOUNDS = rows("""
water|H2O
carbon dioxide|CO2
carbon monoxide|CO
ammonia|NH3
methane|CH4
ethane|C2H6
propane|C3H8
butane|C4H10
benzene|C6H6
ethanol|C2H6O
acetic acid|C2H4O2
glucose|C6H12O6
sucrose|C12H22O11
sulfuric acid|H2SO4
nitric acid|HNO3
hydrogen peroxide|H2O2
sodium hydroxide|NaOH
calcium carbonate|CaCO3
calcium oxide|CaO
magnesium oxide|MgO
aluminium oxide|Al2O3
iron(III) oxide|Fe2O3
sulfur dioxide|SO2
sulfur trioxide|SO3
nitrous oxide|N2O
nitrogen dioxide|NO2
potassium hydroxide|KOH
sodium sulfate|Na2SO4
potassium nitrate|KNO3
sodium nitrate|NaNO3
hydrogen sulfide|H2S
ozone|O3
urea|CH4N2O
ethylene|C2H4
acetylene|C2H2
""")

AMINO_ACIDS = rows("""
alanine|Ala|A
arginine|Arg|R
asparagine|Asn|N
aspartic acid|Asp|D
cysteine|Cys|C
glutamine|Gln|Q
glutamic acid|Glu|E
glycine|Gly|G
histidine|His|H
isoleucine|Ile|I
leucine|Leu|L
lysine|Lys|K
methionine|Met|M
phenylalanine|Phe|F
proline|Pro|P
serine|Ser|S
threonine|Thr|T
tryptophan|Trp|W
tyrosine|Tyr|Y
valine|Val|V
""")

CODONS = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
"""The standard genetic code, codons in the order U, C, A, G of each base; ``*`` is a stop."""

PLANETS = ("Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune")
MOHS = ("talc", "gypsum", "calcite", "fluorite", "apatite", "orthoclase", "quartz", "topaz",
        "corundum", "diamond")  # fmt: skip
SPECTRUM = ("radio waves", "microwaves", "infrared", "visible light", "ultraviolet", "X-rays",
            "gamma rays")  # fmt: skip
"""From the longest waves to the shortest."""
PERIODS = ("Cambrian", "Ordovician", "Silurian", "Devonian", "Carboniferous", "Permian",
           "Triassic", "Jurassic", "Cretaceous", "Paleogene", "Neogene")  # fmt: skip
"""Of geology, the oldest first."""
RANKS = ("domain", "kingdom", "phylum", "class", "order", "family", "genus", "species")

UNITS = rows("""
force|newton|N
energy|joule|J
power|watt|W
pressure|pascal|Pa
frequency|hertz|Hz
electric charge|coulomb|C
voltage|volt|V
electrical resistance|ohm|Ω
electrical conductance|siemens|S
capacitance|farad|F
inductance|henry|H
magnetic flux|weber|Wb
magnetic flux density|tesla|T
luminous flux|lumen|lm
illuminance|lux|lx
radioactive activity|becquerel|Bq
absorbed dose of radiation|gray|Gy
catalytic activity|katal|kat
electric current|ampere|A
thermodynamic temperature|kelvin|K
amount of substance|mole|mol
luminous intensity|candela|cd
""")
"""Quantity, SI unit, symbol."""

PREFIXES = rows("""
tera|T|12
giga|G|9
mega|M|6
kilo|k|3
hecto|h|2
deci|d|-1
centi|c|-2
milli|m|-3
micro|µ|-6
nano|n|-9
pico|p|-12
femto|f|-15
peta|P|15
exa|E|18
""")

CONSTANTS = rows("""
speed of light in vacuum|2.998 × 10^8 m/s
elementary charge|1.602 × 10^-19 C
Planck constant|6.626 × 10^-34 J s
Boltzmann constant|1.381 × 10^-23 J/K
Avogadro constant|6.022 × 10^23 per mole
gravitational constant|6.674 × 10^-11 N m²/kg²
mass of the electron|9.109 × 10^-31 kg
mass of the proton|1.673 × 10^-27 kg
molar gas constant|8.314 J/(mol K)
Faraday constant|9.649 × 10^4 C/mol
Stefan–Boltzmann constant|5.670 × 10^-8 W/(m² K⁴)
standard acceleration of gravity|9.807 m/s²
""")

ORGANS = rows("""
pumps blood through the body|heart
filters waste from the blood and makes urine|kidney
makes insulin|pancreas
makes bile|liver
stores bile|gallbladder
takes up oxygen from the air|lung
focuses light in the eye|lens
carries visual signals from the eye to the brain|optic nerve
turns sound vibrations into nerve signals|cochlea
controls balance and fine movement|cerebellum
stores urine|bladder
""")

CELL_PARTS = rows("""
makes most of the cell's ATP by respiration|mitochondrion
carries out photosynthesis|chloroplast
assembles proteins from amino acids|ribosome
holds the cell's chromosomes|nucleus
sorts and packs proteins for transport|Golgi apparatus
breaks down waste with digestive enzymes|lysosome
controls what enters and leaves the cell|cell membrane
gives a plant cell its rigid outer support|cell wall
""")
