#!/usr/bin/env python3
"""Make Mapwright's five font files from the npm packages they come from.

    npm pack @expo-google-fonts/inter @expo-google-fonts/jetbrains-mono @phosphor-icons/web   # then unpack each .tgz
    pip install fonttools
    make_fonts.py INTER_PACKAGE JETBRAINS_PACKAGE PHOSPHOR_PACKAGE OUT_FOLDER

Inter and JetBrains Mono: SIL Open Font License 1.1, no reserved font name, so a changed subset may keep the name.
Phosphor: MIT. Ship the three licence texts beside the files.

* Inter (Regular, Medium, SemiBold) is cut down to Latin, Greek, Cyrillic and the signs the interface uses. Its digits are
  replaced by the tabular ones ("tnum"), so a number that counts does not move its neighbours; egui has no switch for that.
* JetBrains Mono is cut down likewise, ligatures off.
* Phosphor is cut down to the glyphs named in icons.rs (read from that file: `'\\u{e4f6}'`).
"""
import pathlib
import re
import sys

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

TEXT = (list(range(0x20, 0x7F)) + list(range(0xA0, 0x180)) + list(range(0x370, 0x400)) + list(range(0x400, 0x460))
        + list(range(0x2010, 0x2028)) + [0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x20AC, 0x2122, 0x2190, 0x2191, 0x2192, 0x2193,
                                        0x2212, 0x2248, 0x2260, 0x2264, 0x2265, 0x21E7, 0x2318, 0x2325, 0x2303, 0x00D7, 0x2009, 0x202F])


def cut(source, target, codes, tabular=False):
    font = TTFont(source)
    if tabular:
        names = set(font.getGlyphOrder())
        for table in font["cmap"].tables:
            for code, glyph in list(table.cmap.items()):
                if glyph + ".tf" in names:
                    table.cmap[code] = glyph + ".tf"
    o = Options()
    o.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl"]
    o.hinting = False
    o.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    o.notdef_outline = True
    s = Subsetter(o)
    s.populate(unicodes=codes)
    s.subset(font)
    font.save(target)
    print(target, pathlib.Path(target).stat().st_size)


inter, mono, icons, out = map(pathlib.Path, sys.argv[1:5])
out.mkdir(parents=True, exist_ok=True)
for weight in ("400Regular", "500Medium", "600SemiBold"):
    cut(inter / weight / f"Inter_{weight}.ttf", out / f"Inter-{weight[3:]}.ttf", TEXT, tabular=True)
cut(mono / "400Regular" / "JetBrainsMono_400Regular.ttf", out / "JetBrainsMono-Regular.ttf", TEXT)
wanted = {int(c, 16) for c in re.findall(r"'\\u\{([0-9a-f]+)\}'", (pathlib.Path(__file__).parents[2] / "src/shell/icons.rs").read_text())}
cut(icons / "src/regular/Phosphor.ttf", out / "Phosphor-Mapwright.ttf", wanted)
