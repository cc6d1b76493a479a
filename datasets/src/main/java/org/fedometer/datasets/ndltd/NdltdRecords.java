package org.fedometer.datasets.ndltd;

import static org.fedometer.datasets.FedoraVocabulary.IS_MEMBER_OF_COLLECTION;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.FoxmlWriter;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.StoredLiteral;
import org.fedometer.datasets.random.LogNormalSizes;
import org.fedometer.datasets.random.StableRandom;

/**
 * Dublin Core records of theses, as Phiri and Suleman took them from NDLTD's union catalogue: 2.4
 * KB and 10.6 fields on average, in one to three levels of collections (set, year, initial of the
 * author). Their fifteen workloads, each twice the one before, are the beginnings of one archive:
 * whoever loads W4 has loaded W3 on the way. Workers share one instance.
 */
public final class NdltdRecords implements Dataset {

  public static final String NAME = "ndltd";

  private static final int WORKLOADS = 15;
  private static final long SMALLEST_WORKLOAD = 100;

  private static final Parameter<Integer> WORKLOAD =
      Parameter.of(
          "workload",
          "how many records: W1 has " + SMALLEST_WORKLOAD + ", each further one twice as many",
          "W1 to W" + WORKLOADS,
          "W4",
          NdltdRecords::workload);
  private static final Parameter<Long> LEVELS =
      Parameter.number("levels", "how deep collections are nested", 1, 1, 3);
  private static final Parameter<Long> SEED = Parameter.seed();

  /** What users are told of it, and may say. */
  public static final DatasetKind KIND =
      new DatasetKind(
          NAME, "Dublin Core records of theses in collections", List.of(WORKLOAD, LEVELS, SEED));

  private static final int RECORD_STREAM = 2;

  /** Mean 2.4 KB, and the ends that real records have. */
  private static final LogNormalSizes RECORD_BYTES = new LogNormalSizes(2_209, 0.4, 1_600, 6_400);

  private static final int LEAST_FIELDS = 6;
  private static final int MOST_FIELDS = 28;

  /** Poisson with a mean that varies itself has the long tail that real records have. */
  private static final double[] FURTHER_FIELDS = {2.5, 3.5, 4.5, 8};

  private static final String[] LANGUAGES = {"en", "en", "en", "es", "pt", "de", "zh"};
  private static final String[] TYPES = {"Electronic Thesis or Dissertation", "Thesis", "text"};

  private final int workload;
  private final int levels;
  private final long seed;
  private final DatasetOptions options;
  private final Hierarchy hierarchy;

  private NdltdRecords(int workload, int levels, long seed, DatasetOptions options) {
    this.workload = workload;
    this.levels = levels;
    this.seed = seed;
    this.options = options;
    this.hierarchy = new Hierarchy(seed, levels, SMALLEST_WORKLOAD << workload - 1);
  }

  /**
   * Opens the dataset.
   *
   * @param text {@code workload} (W1 to W15: 100 to 1,638,400 records; W4), {@code levels} (1 to 3;
   *     1), {@code seed} (1)
   */
  public static NdltdRecords open(String text, DatasetOptions options) {
    Parameters parameters = Parameters.parse(KIND, text);
    return new NdltdRecords(
        parameters.value(WORKLOAD),
        Math.toIntExact(parameters.value(LEVELS)),
        parameters.value(SEED),
        options);
  }

  private static int workload(String parameter, String text) {
    if (text.matches("[Ww]?[0-9]{1,2}")) {
      int number = Integer.parseInt(text.replaceFirst("[Ww]", ""));
      if (number >= 1 && number <= WORKLOADS) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        "%s must be W1 to W%d, not '%s'".formatted(parameter, WORKLOADS, text));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("workload", "W" + workload);
    parameters.put("levels", Integer.toString(levels));
    parameters.put("seed", Long.toString(seed));
    parameters.put("records", Long.toString(hierarchy.size() - hierarchy.collections()));
    parameters.put("collections", Integer.toString(hierarchy.collections()));
    parameters.put("textSha256", ThesisText.sha256());
    options.addTo(parameters);
    return parameters;
  }

  /** Records and the collections they are in. */
  @Override
  public long size() {
    return hierarchy.size();
  }

  @Override
  public ComposedObject object(long index) {
    requireObject(index);
    Hierarchy.Place collection = hierarchy.collection(index);
    return collection == null ? record(index) : collection(index, collection);
  }

  private ComposedObject collection(long index, Hierarchy.Place place) {
    String pid = options.pid("SET", index);
    StringBuilder title = new StringBuilder("Theses of ").append(university(place.set()));
    if (place.year() >= 0) {
      title.append(", ").append(Hierarchy.FIRST_YEAR + place.year());
    }
    if (place.initial() >= 0) {
      title.append(", ").append(ThesisText.letter(place.initial()));
    }
    return new ComposedObject(
        pid,
        title.toString(),
        List.of(),
        List.of(
            new DublinCoreValue("title", title.toString()),
            new DublinCoreValue("identifier", pid),
            new DublinCoreValue("type", "Collection")),
        place.parent() == null ? List.of() : List.of(memberOf(place.parent())));
  }

  private Relationship memberOf(Hierarchy.Place collection) {
    return Relationship.toResource(
        IS_MEMBER_OF_COLLECTION, "info:fedora/" + options.pid("SET", hierarchy.number(collection)));
  }

  private static String university(int set) {
    return "University " + (set + 1);
  }

  private ComposedObject record(long index) {
    long record = hierarchy.record(index);
    Hierarchy.Place place = hierarchy.placeOf(record);
    StableRandom random = StableRandom.of(seed, RECORD_STREAM, record);
    int sizeBytes = RECORD_BYTES.next(random);
    int fields = fields(random);
    String title = ThesisText.title(random);
    int year = Hierarchy.FIRST_YEAR + place.year();
    String pid = options.pid("ETD", index);
    List<DublinCoreValue> values = new ArrayList<>(fields);
    values.add(new DublinCoreValue("title", title));
    values.add(new DublinCoreValue("creator", ThesisText.name(place.initial(), random)));
    values.add(new DublinCoreValue("date", Integer.toString(year)));
    values.add(new DublinCoreValue("type", random.pick(TYPES)));
    values.add(new DublinCoreValue("identifier", pid));
    for (int further = 0; further < fields - LEAST_FIELDS; further++) {
      values.add(further(further, place, random));
    }
    values.add(description(sizeBytes - FoxmlWriter.dublinCoreBytes(values), random));
    return new ComposedObject(
        pid, title, List.of(), values, List.of(memberOf(hierarchy.collectionOf(record))));
  }

  private static int fields(StableRandom random) {
    double mean = FURTHER_FIELDS[random.nextInt(FURTHER_FIELDS.length)];
    return Math.min(MOST_FIELDS, LEAST_FIELDS + random.nextPoisson(mean));
  }

  /** What a record has beyond the six; subjects fill up. */
  private static DublinCoreValue further(int which, Hierarchy.Place place, StableRandom random) {
    return switch (which) {
      case 0 -> new DublinCoreValue("publisher", university(place.set()));
      case 1 -> new DublinCoreValue("language", random.pick(LANGUAGES));
      case 3 ->
          new DublinCoreValue("contributor", ThesisText.name(ThesisText.initial(random), random));
      case 4 -> new DublinCoreValue("format", "application/pdf");
      case 6 ->
          new DublinCoreValue(
              "rights",
              "The author retains the copyright; the university may keep and lend this work.");
      default -> new DublinCoreValue("subject", ThesisText.subject(random));
    };
  }

  /** The abstract: what is left of the record's size, unless a triplestore cannot keep that. */
  private DublinCoreValue description(int bytesLeft, StableRandom random) {
    int characters =
        bytesLeft - FoxmlWriter.dublinCoreBytes(new DublinCoreValue("description", ""));
    String text = ThesisText.sentences(Math.max(1, characters), random);
    return new DublinCoreValue("description", StoredLiteral.cut(text, options.literalLimitBytes()));
  }

  @Override
  public Map<String, String> study() {
    return Map.of("dc fields", "6 to 28, mean 10.6", "dc record", "1.6 to 6.4 KB, mean 2.4 KB");
  }

  /** There are no content streams. */
  @Override
  public long meanObjectBytes() {
    return 0;
  }

  @Override
  public int longestLiteralBytes() {
    return Math.min(RECORD_BYTES.mostBytes(), options.literalLimitBytes());
  }
}
