package org.fedometer.experiments.check;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.Deflater;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.PackagedObject;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.StoredLiteral;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.profiles.stack.FedoraSettings;

/** Checks whether the triplestore keeps the literals of a load. Stateless. */
final class LiteralsCheck {
  private static final String NAME = "literals";

  /** At the start of a run. */
  private static final Duration SAMPLING = Duration.ofMillis(150);

  private static final int SAMPLE = 200;
  private static final int MIN_SAMPLED = 10;

  /** MPTStore's narrowest column, on MySQL, including the stored quotes around a literal. */
  private static final int MIN_LITERAL_LIMIT_BYTES = 255;

  private LiteralsCheck() {}

  static Check of(PlannedLoad load, RepositoryView seen) {
    Optional<FedoraSettings.Triplestore> store = seen.settings().map(FedoraSettings::triplestore);
    if (store.isPresent() && store.get().literalLimitBytes() == Integer.MAX_VALUE) {
      return Check.ok(
          NAME,
          store.get().name().equals("none")
              ? "no triplestore"
              : store.get().name() + " has no known limit");
    }
    if (store.isEmpty() && seen.triples().equals(Optional.of(RepositoryView.Triples.NOT))) {
      return Check.ok(NAME, "no triplestore that answers");
    }
    int maxBytes = load.dataset().maxLiteralBytes();
    int compressFromBytes =
        store
            .filter(FedoraSettings.Triplestore::compresses)
            .map(FedoraSettings.Triplestore::literalLimitBytes)
            .orElse(Integer.MAX_VALUE);
    Sample sample = Sample.of(load, SAMPLING, compressFromBytes);
    String maxText =
        String.format(
            Locale.ROOT,
            "%,d bytes in the first %s",
            sample.maxBytes,
            sample.objects == 1 ? "object" : sample.objects + " objects");
    if (store.isEmpty() && seen.triples().equals(Optional.of(RepositoryView.Triples.WITH_ITQL))) {
      return Check.ok(
          NAME,
          "up to " + maxText + "; a triplestore with iTQL, such as Mulgara, has no known limit");
    }
    if (store.isEmpty()) {
      return maxBytes <= MIN_LITERAL_LIMIT_BYTES
          ? Check.ok(NAME, "at most " + maxBytes + " bytes, which any triplestore stores")
          : Check.unknown(
              NAME,
              "up to " + maxText + "; the limit of the triplestore is unknown",
              "If it is MPTStore, give --max-literal: 2692 on PostgreSQL, 255 on MySQL, 512"
                  + " on Derby.");
    }
    FedoraSettings.Triplestore known = store.get();
    int limitBytes = known.literalLimitBytes();
    String keeps =
        String.format(
            Locale.ROOT,
            "%s stores up to %,d%s",
            known.name(),
            limitBytes,
            known.compresses() ? ", compressed" : "");
    String advice =
        "Give --max-literal "
            + limitBytes
            + ": a literal that is too long silently loses its whole batch of triples.";
    int storedBytes = known.compresses() ? sample.maxCompressedBytes : sample.maxBytes;
    if (storedBytes > limitBytes) {
      return Check.problem(NAME, "up to " + maxText + ", and " + keeps, advice);
    }
    if (sample.maxBytes > limitBytes || maxBytes > limitBytes) {
      return Check.warning(
          NAME, "up to " + maxText + ", up to " + maxBytes + " in all; " + keeps, advice);
    }
    return Check.ok(NAME, "up to " + maxText + "; " + keeps);
  }

  /**
   * Properties of a dataset's first objects.
   *
   * @param maxCompressedBytes of individually known literals that are too long uncompressed, with a
   *     compression better than any database's: a longer result is certainly too long
   */
  private record Sample(int maxBytes, int maxCompressedBytes, int objects) {

    static Sample of(PlannedLoad load, Duration time, int compressFromBytes) {
      long endNanos = System.nanoTime() + time.toNanos();
      int maxBytes = 0;
      int compressed = 0;
      int objects = 0;
      long maxObjects = Math.min(SAMPLE, load.objects());
      while (objects < maxObjects && (objects < MIN_SAMPLED || System.nanoTime() - endNanos < 0)) {
        RepositoryObject object = load.dataset().object(objects++);
        if (object instanceof PackagedObject) {
          maxBytes = load.dataset().maxLiteralBytes();
        }
        for (String literal : literals(object)) {
          int bytes = StoredLiteral.storedBytes(literal);
          maxBytes = Math.max(maxBytes, bytes);
          if (bytes > compressFromBytes) {
            compressed = Math.max(compressed, compressedBytes(literal));
          }
        }
      }
      return new Sample(maxBytes, compressed, objects);
    }

    private static List<String> literals(RepositoryObject object) {
      List<String> literals = new ArrayList<>(List.of(object.label()));
      if (object instanceof ComposedObject composed) {
        composed.dublinCore().forEach(value -> literals.add(value.value()));
        composed.relationships().forEach(statement -> literals.add(statement.object()));
      }
      return literals;
    }

    private static int compressedBytes(String literal) {
      Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
      try {
        byte[] text = literal.getBytes(StandardCharsets.UTF_8);
        deflater.setInput(text);
        deflater.finish();
        return deflater.deflate(new byte[text.length + 64]);
      } finally {
        deflater.end();
      }
    }
  }
}
