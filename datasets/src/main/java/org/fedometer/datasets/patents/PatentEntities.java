package org.fedometer.datasets.patents;

import java.util.HashMap;
import java.util.Map;

/**
 * Characters for entities in older patent files, whose DTD is missing. Includes only those in
 * titles, names and abstracts; others become a space.
 */
final class PatentEntities {

  private static final Map<String, String> CHARACTERS = new HashMap<>();

  static {
    String pairs =
        """
        aacute \u00e1 agrave \u00e0 acirc \u00e2 auml \u00e4 aring \u00e5 atilde \u00e3 aelig \u00e6
        Aacute \u00c1 Auml \u00c4 Aring \u00c5 AElig \u00c6 ccedil \u00e7 Ccedil \u00c7 eacute \u00e9
        egrave \u00e8 ecirc \u00ea euml \u00eb Eacute \u00c9 iacute \u00ed icirc \u00ee iuml \u00ef
        ntilde \u00f1 Ntilde \u00d1 oacute \u00f3 ograve \u00f2 ocirc \u00f4 ouml \u00f6 otilde \u00f5
        oslash \u00f8 Ouml \u00d6 Oslash \u00d8 uacute \u00fa ugrave \u00f9 ucirc \u00fb uuml \u00fc
        Uuml \u00dc yacute \u00fd szlig \u00df lsquo \u2018 rsquo \u2019 ldquo \u201c rdquo \u201d
        mdash \u2014 ndash \u2013 hellip \u2026 bull \u2022 middot \u00b7 deg \u00b0 plusmn \u00b1
        times \u00d7 divide \u00f7 minus \u2212 equals = plus + ast * num # percnt % dollar $
        lsqb [ rsqb ] lcub { rcub } lpar ( rpar ) sol / bsol \\ lowbar _ verbar | commat @
        le \u2264 ge \u2265 ne \u2260 sim \u223c thgr \u03b8 agr \u03b1 bgr \u03b2 ggr \u03b3
        dgr \u03b4 egr \u03b5 lgr \u03bb mgr \u03bc pgr \u03c0 rgr \u03c1 sgr \u03c3 tgr \u03c4
        phgr \u03c6 ohgr \u03c9 Dgr \u0394 OHgr \u03a9 micro \u00b5 para \u00b6 sect \u00a7
        copy \u00a9 reg \u00ae trade \u2122 half \u00bd frac12 \u00bd frac14 \u00bc frac34 \u00be
        rarr \u2192 larr \u2190 infin \u221e prime \u2032 Prime \u2033
        """;
    String[] words = pairs.strip().split("\\s+");
    for (int i = 0; i < words.length; i += 2) {
      CHARACTERS.put(words[i], words[i + 1]);
    }
  }

  private PatentEntities() {}

  static String text(String name) {
    return CHARACTERS.getOrDefault(name, " ");
  }
}
