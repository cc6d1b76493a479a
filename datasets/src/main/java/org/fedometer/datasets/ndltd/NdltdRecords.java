package org.fedometer.datasets.ndltd;

import static org.fedometer.datasets.FedoraVocabulary.IS_MEMBER_OF_COLLECTION;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * Dublin Core records of theses, as Phiri and Suleman took them from NDLTD's union catalogue: 1.36
 * KB and 10.6 fields on average. They are in one to three levels of collections (set, year, initial
 * of the author). With its OAI record, which is not created here, such a record has 2.4 KB. The
 * study's fifteen workloads, each twice the previous one, are prefixes of one archive: loading W4
 * includes W3. Workers share one instance.
 */
public final class NdltdRecords implements Dataset {

  public static final String NAME = "ndltd";

  private static final int WORKLOADS = 15;
  private static final long MIN_WORKLOAD = 100;

  private static final Parameter<Integer> WORKLOAD =
      Parameter.of(
          "workload",
          "how many records: W1 has " + MIN_WORKLOAD + ", each further one twice as many",
          "W1 to W" + WORKLOADS,
          "W4",
          NdltdRecords::workload);
  private static final Parameter<Long> LEVELS =
      Parameter.number("levels", "how deep collections are nested", 1, 1, 3);
  private static final Parameter<Long> SEED = Parameter.seed();

  public static final DatasetKind KIND =
      new DatasetKind(
          NAME, "Dublin Core records of theses in collections", List.of(WORKLOAD, LEVELS, SEED));

  private static final int RECORD_STREAM = 2;

  private static final int MIN_BYTES = 585;
  private static final int MAX_BYTES = 5_361;

  /** Mean 567 bytes, for which the record has space. */
  private static final LogNormalSizes ABSTRACT_BYTES = new LogNormalSizes(431, 0.75, 60, 4_400);

  private static final int MIN_FIELDS = 6;
  private static final int MAX_FIELDS = 28;

  private static final double WITH_ADDRESS = 0.9;
  private static final double WITH_ABSTRACT = 0.893;
  private static final double WITH_RELATION = 0.88;
  private static final double WITH_PUBLISHER = 0.32;

  /**
   * Subjects after the first, 2.6 on average. A Poisson distribution whose mean varies has the long
   * tail of real records.
   */
  private static final Double[] FURTHER_SUBJECTS = {1., 1., 1.5, 2., 2., 2.5, 2.5, 3., 3., 7.5};

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
    this.hierarchy = new Hierarchy(seed, levels, MIN_WORKLOAD << workload - 1);
  }

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
            new DublinCoreValue("title", title.toString()), new DublinCoreValue("identifier", pid)),
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
    String title = ThesisText.title(random);
    int year = Hierarchy.FIRST_YEAR + place.year();
    String pid = options.pid("ETD", index);
    List<DublinCoreValue> values = new ArrayList<>(MAX_FIELDS);
    values.add(new DublinCoreValue("title", title));
    values.add(new DublinCoreValue("creator", ThesisText.name(place.initial(), random)));
    values.add(new DublinCoreValue("date", Integer.toString(year)));
    values.add(new DublinCoreValue("identifier", pid));
    if (random.nextChance(WITH_ADDRESS)) {
      values.add(
          new DublinCoreValue(
              "identifier",
              address(
                  place, "theses/available/etd-" + (year * 1_000_000L + record) + "/thesis.pdf")));
    }
    if (random.nextChance(WITH_RELATION)) {
      values.add(truncated("relation", series(place, random)));
    }
    if (random.nextChance(WITH_PUBLISHER)) {
      values.add(new DublinCoreValue("publisher", university(place.set())));
    }
    boolean hasAbstract = random.nextChance(WITH_ABSTRACT);
    addSubjects(values, hasAbstract ? 1 : 0, random);
    int bytes = FoxmlWriter.dublinCoreBytes(values);
    // A record shorter than any real one gets an abstract anyway.
    if (hasAbstract || bytes < MIN_BYTES) {
      values.add(description(bytes, random));
    }
    return new ComposedObject(
        pid, title, List.of(), values, List.of(memberOf(hierarchy.collectionOf(record))));
  }

  private static String address(Hierarchy.Place place, String path) {
    return "http://etd.university-" + (place.set() + 1) + ".example/" + path;
  }

  private static String series(Hierarchy.Place place, StableRandom random) {
    return "Electronic theses and dissertations of %s, submitted to its department of %s: %s; also available on the internet at %s"
        .formatted(
            university(place.set()),
            ThesisText.subject(random),
            ThesisText.title(random),
            address(
                place,
                "collections/theses-and-dissertations/" + (Hierarchy.FIRST_YEAR + place.year())));
  }

  /** Adds a random number of subjects within the limits on fields, with {@code more} to come. */
  private static void addSubjects(List<DublinCoreValue> values, int more, StableRandom random) {
    int fields = values.size() + more;
    int subjects = 1 + random.nextPoisson(random.pick(FURTHER_SUBJECTS));
    subjects = Math.max(MIN_FIELDS - fields, Math.min(MAX_FIELDS - fields, subjects));
    Set<String> distinct = new LinkedHashSet<>();
    while (distinct.size() < subjects) {
      distinct.add(ThesisText.subject(random));
    }
    distinct.forEach(subject -> values.add(new DublinCoreValue("subject", subject)));
  }

  /**
   * Returns the abstract with a length within the limits of real records, unless a triplestore
   * cannot store it.
   */
  private DublinCoreValue description(int bytesBefore, StableRandom random) {
    int frame = bytesBefore + FoxmlWriter.dublinCoreBytes(new DublinCoreValue("description", ""));
    int characters =
        Math.max(MIN_BYTES - frame, Math.min(MAX_BYTES - frame, ABSTRACT_BYTES.next(random)));
    String text = ThesisText.sentences(characters, random);
    return truncated("description", text);
  }

  private DublinCoreValue truncated(String element, String text) {
    return new DublinCoreValue(element, StoredLiteral.cut(text, options.literalLimitBytes()));
  }

  @Override
  public Map<String, String> study() {
    return Map.of("dc fields", "6 to 28, mean 10.6", "dc record", "585 to 5,361 B, mean 1,359 B");
  }

  /** Returns 0, since there are no content streams. */
  @Override
  public long meanObjectBytes() {
    return 0;
  }

  @Override
  public int maxLiteralBytes() {
    return Math.min(ABSTRACT_BYTES.maxBytes(), options.literalLimitBytes());
  }
}
