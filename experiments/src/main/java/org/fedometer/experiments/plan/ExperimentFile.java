package org.fedometer.experiments.plan;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.UnknownWordException;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.content.ChecksumChoice;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.fedometer.driver.load.Load;
import org.fedometer.profiles.Origin;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.Spelling;
import org.fedometer.profiles.YamlFile;

/**
 * Reads the file of an experiment, see docs/experiments-and-compare.md; starts nothing. Not
 * thread-safe.
 */
public final class ExperimentFile {
  private static final String NAME = "name";
  private static final String DESCRIPTION = "description";
  private static final String BASELINE = "baseline";
  private static final String DATASET = "dataset";
  private static final String CONTENT = "content";
  private static final String PACKAGING = "packaging";
  private static final String CHECKSUM = "checksum";
  private static final String WORKERS = "workers";
  private static final String RATE = "rate";
  private static final String WARM = "warm";
  private static final String MEASURED = "measured";
  private static final String OBJECTS = "objects";
  private static final String REPETITIONS = "repetitions";
  private static final String ORDER = "order";
  private static final String SEED = "seed";
  private static final String PAGE_CACHE = "page-cache";
  private static final String STOP = "stop";

  private static final List<String> KEYS =
      List.of(
          NAME,
          DESCRIPTION,
          ProfileList.PROFILES,
          ProfileList.MATRIX,
          BASELINE,
          DATASET,
          CONTENT,
          PACKAGING,
          CHECKSUM,
          WORKERS,
          RATE,
          WARM,
          MEASURED,
          OBJECTS,
          REPETITIONS,
          ORDER,
          SEED,
          PAGE_CACHE,
          STOP);

  private static final String AUTO = "auto";
  private static final String FIXED = "fixed";
  private static final String UNTIL = "until";
  private static final String THROUGHPUT = "throughput";
  private static final String MAX_REPETITIONS = "max-repetitions";

  private static final int STANDARD_REPETITIONS = 3;
  private static final int MAX_WHOLE_NUMBER = 1000;
  private static final int CLOSED_MODEL_WORKERS = 4;
  private static final int OPEN_MODEL_WORKERS = 64;
  private static final long MAX_OBJECTS = 1_000_000_000_000L;

  private static final Pattern PERCENT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?%");

  private final FileReading reading = new FileReading();
  private final YamlFile.Mapping file;
  private final String text;

  private ExperimentFile(YamlFile.Mapping file, String text) {
    this.file = file;
    this.text = text;
  }

  /**
   * @param profiles that it may name
   * @throws ProfileFileException with all problems, each with its line
   * @throws IllegalArgumentException if the file is missing, or is a folder
   * @throws IOException if it cannot be read
   */
  public static ExperimentPlan read(Path path, Profiles profiles) throws IOException {
    if (Files.isDirectory(path)) {
      throw new IllegalArgumentException(path + " is a folder; give the experiment's file in it");
    }
    String text;
    try {
      text = Files.readString(path);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there is no file " + path + YamlFile.perhaps(path), e);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(path + " is not UTF-8; save it as such", e);
    }
    return parse(path.toString(), text, profiles);
  }

  /**
   * @param place name of the file in problems
   */
  static ExperimentPlan parse(String place, String text, Profiles profiles) {
    return new ExperimentFile(YamlFile.parse(place, text), text).plan(profiles);
  }

  private ExperimentPlan plan(Profiles profiles) {
    reading.rejectUnknown(file, KEYS);
    ProfileList list = new ProfileList(reading, profiles);
    List<PlannedProfile> planned = list.read(file);
    Optional<String> name = name();
    Optional<String> dataset = dataset();
    Double rate = rate().orElse(null);
    int workers =
        (int)
            (long)
                reading
                    .number(file, WORKERS, 1, IngestOptions.MAX_WORKERS)
                    .orElse((long) (rate == null ? CLOSED_MODEL_WORKERS : OPEN_MODEL_WORKERS));
    Objects objects = objects();
    int repetitions =
        (int)
            (long)
                reading
                    .number(file, REPETITIONS, 1, MAX_WHOLE_NUMBER)
                    .orElse((long) STANDARD_REPETITIONS);
    Order order =
        reading.oneOf(file, ORDER, valuesById(Order.values(), Order::id)).orElse(Order.INTERLEAVED);
    long seed = reading.number(file, SEED, 0, Long.MAX_VALUE).orElse(1L);
    PageCache pageCache =
        reading.oneOf(file, PAGE_CACHE, valuesById(PageCache.values(), PageCache::id)).orElse(null);
    StopRule stop = stop(repetitions, order, list.labels().size());
    ContentOptions content = content();
    String baseline = baseline(list.labels());
    String description = reading.text(file, DESCRIPTION).orElse("");
    reading.stopAtProblems();
    return new ExperimentPlan(
        name.orElseThrow(),
        description,
        planned,
        baseline,
        dataset.orElseThrow(),
        content,
        workers,
        rate,
        objects.all(),
        objects.warm(),
        repetitions,
        order,
        seed,
        pageCache,
        stop,
        text);
  }

  private static <T> Map<String, T> valuesById(T[] values, Function<T, String> id) {
    Map<String, T> valuesById = new LinkedHashMap<>();
    Arrays.stream(values).forEach(value -> valuesById.put(id.apply(value), value));
    return valuesById;
  }

  private Optional<String> name() {
    return reading
        .needed(
            file, NAME, "give the name of the experiment, with which the names of its runs begin")
        .filter(
            name -> {
              try {
                ExperimentPlan.requireName(name);
                return true;
              } catch (IllegalArgumentException e) {
                problem(NAME, e.getMessage());
                return false;
              }
            });
  }

  private Optional<String> dataset() {
    return reading
        .needed(file, DATASET, "give the dataset, NAME[:key=value,...], such as patents")
        .filter(
            dataset -> {
              try {
                Datasets.check(dataset);
                return true;
              } catch (UnknownWordException e) {
                problem(DATASET, e.getMessage() + Spelling.suggestion(e.word(), e.known()));
              } catch (IllegalArgumentException e) {
                problem(DATASET, e.getMessage());
              }
              return false;
            });
  }

  private Optional<Double> rate() {
    return reading.read(
        file,
        RATE,
        value -> {
          double rate;
          try {
            rate = Double.parseDouble(value);
          } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                "'" + value + "' is not a number of objects per second, such as 12.5", e);
          }
          return new Load.ArrivalRate(rate).objectsPerSecond(); // rejects an invalid rate
        });
  }

  /** Numbers of objects of each run. */
  private record Objects(long all, Long warm) {}

  private Objects objects() {
    boolean auto = reading.text(file, WARM).map(AUTO::equals).orElse(!has(WARM) && has(OBJECTS));
    if (auto) {
      if (has(MEASURED)) {
        problem(
            MEASURED,
            MEASURED
                + ": it is detected after the run, like the warm-up; give '"
                + OBJECTS
                + "' instead");
      } else if (!has(OBJECTS)) {
        problem(WARM, "key '" + OBJECTS + "' is missing: give the number of objects of each run");
      }
      return new Objects(reading.number(file, OBJECTS, 1, MAX_OBJECTS).orElse(1L), null);
    }
    if (has(OBJECTS)) {
      problem(
          OBJECTS,
          OBJECTS + ": it is the sum of '" + WARM + "' and '" + MEASURED + "'; leave it out");
    }
    for (String key : List.of(WARM, MEASURED)) {
      if (!has(key)) {
        reading.problem(
            file.origin(),
            "key '"
                + key
                + "' is missing: give '"
                + WARM
                + "' and '"
                + MEASURED
                + "', the numbers of objects of the warm-up and after it, or '"
                + OBJECTS
                + "' alone, to have the warm-up detected after the run");
      }
    }
    long warm = warm();
    long measured = reading.number(file, MEASURED, 1, MAX_OBJECTS).orElse(1L);
    return new Objects(warm + measured, warm);
  }

  private long warm() {
    Optional<String> given = reading.text(file, WARM);
    if (given.isPresent() && !Character.isDigit(given.get().charAt(0))) {
      problem(WARM, WARM + ": '" + given.get() + "' is neither a number of objects nor " + AUTO);
      return 0;
    }
    return reading.number(file, WARM, 0, MAX_OBJECTS).orElse(0L);
  }

  private StopRule stop(int repetitions, Order order, int profiles) {
    if (!has(STOP)) {
      return new StopRule.Fixed();
    }
    if (file.entries().get(STOP) instanceof YamlFile.Scalar scalar) {
      if (!scalar.text().strip().equals(FIXED)) {
        problem(
            STOP,
            STOP
                + ": '"
                + scalar.text()
                + "' is not "
                + FIXED
                + ", nor a mapping '"
                + UNTIL
                + ": ...'");
      }
      return new StopRule.Fixed();
    }
    Optional<YamlFile.Mapping> rule = reading.mapping(file, STOP);
    rule.ifPresent(found -> reading.rejectUnknown(found, List.of(UNTIL)));
    Optional<YamlFile.Mapping> until = rule.flatMap(found -> reading.mapping(found, UNTIL));
    if (until.isEmpty()) {
      problem(
          STOP,
          STOP
              + ": expected "
              + FIXED
              + ", or '"
              + UNTIL
              + ": {throughput: 5 %, max-repetitions: 10}'");
      return new StopRule.Fixed();
    }
    if (!order.hasBlocks()) {
      problem(
          STOP,
          STOP
              + ": it needs the measurements of each repetition, but with 'order: "
              + order.id()
              + "' no repetition ends before the last run; set it to "
              + Order.INTERLEAVED.id());
    }
    if (profiles == 1) {
      problem(STOP, STOP + ": it needs the ratio of two profiles; give another profile");
    }
    return until(until.get(), repetitions);
  }

  private StopRule until(YamlFile.Mapping until, int repetitions) {
    reading.rejectUnknown(until, List.of(THROUGHPUT, MAX_REPETITIONS));
    Optional<Double> width =
        reading
            .needed(until, THROUGHPUT, "give the width of the interval to reach, such as 5 %")
            .flatMap(value -> share(value, FileReading.at(until, THROUGHPUT)));
    reading.needed(
        until, MAX_REPETITIONS, "give the number of repetitions at which to stop in any case");
    Optional<Long> max =
        reading.number(until, MAX_REPETITIONS, Math.max(2, repetitions), MAX_WHOLE_NUMBER);
    return width.isPresent() && max.isPresent()
        ? new StopRule.Until(width.get(), (int) (long) max.get())
        : new StopRule.Fixed();
  }

  private Optional<Double> share(String value, Origin origin) {
    Matcher percent = PERCENT.matcher(value);
    if (percent.matches()) {
      double share = Double.parseDouble(percent.group(1)) / 100;
      if (share > 0 && share < 1) {
        return Optional.of(share);
      }
    }
    reading.problem(
        origin,
        THROUGHPUT + ": '" + value + "' is not a percentage between 0 % and 100 %, such as 5 %");
    return Optional.empty();
  }

  private ContentOptions content() {
    ContentPath path =
        reading
            .read(file, CONTENT, ContentPath.ids(), ContentPath::named)
            .orElse(ContentPath.IN_REQUEST);
    Packaging packaging =
        reading.read(file, PACKAGING, Packaging.ids(), Packaging::named).orElse(Packaging.FOXML);
    ChecksumChoice checksum =
        reading
            .read(file, CHECKSUM, ChecksumAlgorithm.fedoraNames(), ChecksumChoice::named)
            .orElse(ChecksumChoice.NONE);
    return ContentOptions.of(path, packaging, checksum);
  }

  private String baseline(List<String> labels) {
    Optional<String> given = reading.text(file, BASELINE);
    if (given.isPresent() && !labels.contains(given.get()) && !labels.isEmpty()) {
      problem(
          BASELINE,
          "no profile here is called '"
              + given.get()
              + "'"
              + Spelling.suggestionOrAll(given.get(), labels));
    }
    return given.orElse(labels.isEmpty() ? "" : labels.get(0));
  }

  private boolean has(String key) {
    return file.entries().containsKey(key);
  }

  private void problem(String key, String message) {
    reading.problem(FileReading.at(file, key), message);
  }
}
