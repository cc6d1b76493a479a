package org.fedometer.datasets.ndltd;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.random.StableRandom;

/**
 * Titles, abstracts, subjects and names of theses, from a grammar. Changing a word changes every
 * record. Stateless.
 */
final class ThesisText {

  private static final String[] FIELDS = {
    "acoustics",
    "agronomy",
    "algebra",
    "anthropology",
    "archaeology",
    "astronomy",
    "biochemistry",
    "botany",
    "cartography",
    "chemical engineering",
    "civil engineering",
    "climatology",
    "comparative literature",
    "computer science",
    "crystallography",
    "demography",
    "ecology",
    "econometrics",
    "education",
    "electrical engineering",
    "epidemiology",
    "ethics",
    "finance",
    "fluid mechanics",
    "food science",
    "forestry",
    "genetics",
    "geology",
    "geometry",
    "history",
    "hydrology",
    "immunology",
    "information science",
    "international relations",
    "law",
    "library science",
    "linguistics",
    "logic",
    "management",
    "marine biology",
    "materials science",
    "microbiology",
    "musicology",
    "neuroscience",
    "nursing",
    "oceanography",
    "operations research",
    "optics",
    "pharmacology",
    "philosophy",
    "physics",
    "physiology",
    "plant pathology",
    "political science",
    "psychology",
    "public health",
    "robotics",
    "social work",
    "sociology",
    "soil science",
    "statistics",
    "theology",
    "toxicology",
    "urban planning",
    "veterinary medicine",
    "virology",
    "zoology"
  };

  private static final String[] ADJECTIVES = {
    "adaptive",
    "analytical",
    "applied",
    "bayesian",
    "behavioural",
    "bounded",
    "cognitive",
    "collaborative",
    "comparative",
    "computational",
    "contemporary",
    "critical",
    "cultural",
    "distributed",
    "dynamic",
    "early",
    "economic",
    "empirical",
    "environmental",
    "experimental",
    "formal",
    "functional",
    "historical",
    "hybrid",
    "indigenous",
    "institutional",
    "integrated",
    "interactive",
    "large-scale",
    "late",
    "linear",
    "local",
    "longitudinal",
    "low-cost",
    "modern",
    "molecular",
    "multivariate",
    "national",
    "nonlinear",
    "numerical",
    "optimal",
    "parallel",
    "participatory",
    "predictive",
    "qualitative",
    "quantitative",
    "regional",
    "robust",
    "rural",
    "seasonal",
    "selective",
    "semantic",
    "social",
    "spatial",
    "statistical",
    "stochastic",
    "structural",
    "sustainable",
    "theoretical",
    "thermal",
    "transient",
    "tropical",
    "urban"
  };

  private static final String[] THINGS = {
    "adolescents",
    "algorithms",
    "aquifers",
    "archives",
    "assessment",
    "autonomy",
    "bacteria",
    "boundary layers",
    "change",
    "children",
    "citizenship",
    "coalitions",
    "coastal erosion",
    "communities",
    "composites",
    "conflict",
    "consumption",
    "crops",
    "curricula",
    "decision making",
    "development",
    "digital collections",
    "discourse",
    "diversity",
    "drug delivery",
    "enzymes",
    "estimation",
    "exchange rates",
    "families",
    "fatigue",
    "fisheries",
    "forests",
    "gender",
    "governance",
    "grain yield",
    "growth",
    "health services",
    "households",
    "identity",
    "imaging",
    "inference",
    "infrastructure",
    "innovation",
    "irrigation",
    "knowledge",
    "labour markets",
    "landscapes",
    "language acquisition",
    "leadership",
    "learning",
    "membranes",
    "memory",
    "metabolism",
    "migration",
    "mining regions",
    "mobility",
    "models",
    "music",
    "narratives",
    "networks",
    "nutrition",
    "organisations",
    "participation",
    "patients",
    "performance",
    "policy",
    "polymers",
    "poverty",
    "power systems",
    "pricing",
    "proteins",
    "quality of life",
    "reform",
    "resistance",
    "retrieval",
    "risk",
    "rivers",
    "schools",
    "sediments",
    "semiconductors",
    "settlements",
    "signal processing",
    "small enterprises",
    "soils",
    "stress",
    "teachers",
    "tourism",
    "transport",
    "trust",
    "turbulence",
    "values",
    "vegetation",
    "violence",
    "water use",
    "welfare",
    "wetlands",
    "women writers",
    "work",
    "youth"
  };

  private static final String[] VERBS = {
    "analyses", "assesses", "challenges", "compares", "considers", "describes", "develops",
    "documents", "establishes", "evaluates", "examines", "explores", "extends", "identifies",
    "investigates", "measures", "models", "proposes", "questions", "reconsiders", "reports on",
    "reviews", "shows", "studies", "surveys", "tests", "traces"
  };

  private static final String[] OPENINGS = {
    "This thesis",
    "This dissertation",
    "The present study",
    "The first part",
    "The second part",
    "A further chapter",
    "The theoretical framework",
    "The empirical section",
    "Our approach",
    "The final chapter",
    "The analysis",
    "A case study",
    "The survey",
    "This work"
  };

  private static final String[] LINKS = {
    "with respect to", "in relation to", "as a function of", "by means of",
        "against the background of",
    "in the light of", "on the basis of", "together with", "as distinct from",
        "under conditions of",
    "in comparison with", "through"
  };

  private static final String[] DATA = {
    "interviews", "samples", "observations", "questionnaires", "simulations", "measurements",
    "records", "field sites", "participants", "experiments", "documents", "trials"
  };

  private static final String[] ENDINGS = {
    "Implications for practice are discussed.",
    "The results are consistent with earlier work.",
    "Suggestions for further research are given.",
    "No significant difference was found.",
    "The limits of the method are pointed out.",
    "The findings suggest that the prevailing view has to be revised.",
    "These results were confirmed by an independent data set.",
    "The difference was significant at the level of five per cent."
  };

  /** Syllables that a family name goes on with. */
  private static final String[] SYLLABLES = {
    "an", "ar", "bel", "ber", "chi", "da", "den", "do", "el", "en", "er", "ga", "gan", "han", "in",
    "is", "ka", "kin", "la", "len", "li", "lo", "ma", "man", "mi", "mo", "na", "ner", "ni", "no",
    "o", "ol", "on", "or", "per", "ra", "ri", "ro", "sa", "sen", "shi", "son", "ta", "ter", "ti",
    "to", "u", "va", "ven", "wa", "wi", "ya", "za"
  };

  private static final String[] GIVEN = {
    "Aisha", "Ana", "Andrew", "Bongani", "Carlos", "Chen", "Claire", "Daniel", "David", "Elena",
    "Elizabeth", "Fatima", "Grace", "Hans", "Ingrid", "Isabel", "James", "Jan", "Jia", "Joao",
    "John", "Karin", "Lebogang", "Lerato", "Lucia", "Maria", "Mark", "Michael", "Min", "Mohamed",
    "Nadia", "Nomsa", "Olga", "Pedro", "Peter", "Priya", "Rajesh", "Robert", "Sarah", "Sipho",
    "Sofia", "Susan", "Thabo", "Thomas", "Wei", "Yuki"
  };

  private static final String INITIALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

  /** How many of a hundred family names begin with each letter, A to Z; at least one each. */
  private static final int[] INITIAL_WEIGHTS = {
    5, 9, 8, 5, 2, 4, 5, 7, 1, 3, 5, 5, 10, 3, 2, 6, 1, 5, 10, 4, 1, 3, 6, 1, 2, 2
  };

  private static final int INITIAL_WEIGHT;

  static {
    int sum = 0;
    for (int weight : INITIAL_WEIGHTS) {
      sum += weight;
    }
    INITIAL_WEIGHT = sum;
  }

  private ThesisText() {}

  /** SHA-256 of all words, in hexadecimal: equal ones make equal records. */
  static String sha256() {
    MessageDigest digest = ChecksumAlgorithm.SHA_256.newDigest();
    String[][] all = {
      FIELDS, ADJECTIVES, THINGS, VERBS, OPENINGS, LINKS, DATA, ENDINGS, SYLLABLES, GIVEN
    };
    for (String[] words : all) {
      digest.update(String.join("\n", words).getBytes(StandardCharsets.US_ASCII));
      digest.update((byte) 0);
    }
    digest.update(Arrays.toString(INITIAL_WEIGHTS).getBytes(StandardCharsets.US_ASCII));
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Number of a letter, 0 for A. */
  static int initial(StableRandom random) {
    int left = random.nextInt(INITIAL_WEIGHT);
    int initial = 0;
    while (left >= INITIAL_WEIGHTS[initial]) {
      left -= INITIAL_WEIGHTS[initial++];
    }
    return initial;
  }

  static char letter(int initial) {
    return INITIALS.charAt(initial);
  }

  /** {@code Family, Given}. */
  static String name(int initial, StableRandom random) {
    StringBuilder name = new StringBuilder(24).append(letter(initial));
    int syllables = random.nextBetween(2, 3);
    for (int i = 0; i < syllables; i++) {
      name.append(random.pick(SYLLABLES));
    }
    return name.append(", ").append(random.pick(GIVEN)).toString();
  }

  static String subject(StableRandom random) {
    return random.nextChance(0.5)
        ? random.pick(FIELDS)
        : random.pick(ADJECTIVES) + ' ' + random.pick(THINGS);
  }

  static String title(StableRandom random) {
    StringBuilder title = new StringBuilder(120);
    if (random.nextChance(0.3)) {
      title.append(random.pick(ADJECTIVES)).append(' ');
      title.append(random.pick(THINGS)).append(": ");
    }
    title.append(random.nextChance(0.5) ? "a study of " : "on ");
    title.append(random.pick(ADJECTIVES)).append(' ').append(random.pick(THINGS));
    title.append(random.nextChance(0.5) ? " and " : " in ").append(random.pick(THINGS));
    title.setCharAt(0, Character.toUpperCase(title.charAt(0)));
    return title.toString();
  }

  /** Sentences of exactly so many ASCII characters; the last is cut and closed by a full stop. */
  static String sentences(int characters, StableRandom random) {
    StringBuilder text = new StringBuilder(characters + 200);
    while (text.length() < characters) {
      if (!text.isEmpty()) {
        text.append(' ');
      }
      sentence(text, random);
    }
    text.setLength(characters);
    if (characters > 0) {
      text.setCharAt(characters - 1, '.');
    }
    return text.toString();
  }

  private static void sentence(StringBuilder text, StableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> {
        text.append(random.pick(OPENINGS)).append(' ').append(random.pick(VERBS));
        text.append(' ').append(random.pick(ADJECTIVES)).append(' ').append(random.pick(THINGS));
        text.append(' ').append(random.pick(LINKS)).append(' ').append(random.pick(THINGS));
        text.append('.');
      }
      case 1 -> {
        text.append("A total of ").append(random.nextBetween(12, 980)).append(' ');
        text.append(random.pick(DATA)).append(" on ").append(random.pick(THINGS));
        text.append(" were collected between ").append(random.nextBetween(1970, 1995));
        text.append(" and ").append(random.nextBetween(1996, 2012)).append('.');
      }
      case 2 -> {
        text.append("In ").append(random.pick(FIELDS)).append(", ").append(random.pick(THINGS));
        text.append(" and ").append(random.pick(ADJECTIVES)).append(' ');
        text.append(random.pick(THINGS)).append(" are seldom studied ").append(random.pick(LINKS));
        text.append(' ').append(random.pick(ADJECTIVES)).append(' ').append(random.pick(THINGS));
        text.append('.');
      }
      default -> text.append(random.pick(ENDINGS));
    }
  }
}
