package org.fedometer.driver.object;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.FedoraRules;
import org.fedometer.datasets.FoxmlWriter;
import org.fedometer.datasets.PackagedObject;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.random.StableRandom;

/**
 * Changes of objects by steps of a mix: a function of the object and the step's number, which a
 * verification can repeat.
 *
 * <p>A modification replaces the first content stream, at about the same length. An object without
 * content gets a changed Dublin Core value, which keeps the number of triples.
 */
public final class ObjectChanges {

  private static final int MODIFICATION = 3;
  private static final int ADDITION = 4;
  private static final int ADDED_BYTES = 1000;
  private static final int MIN_BYTES = 100;
  private static final int MAX_BYTES = 1_000_000;

  /** Kept length of a changed value: literals must stay short for some databases. */
  private static final int MAX_VALUE_LENGTH = 60;

  private ObjectChanges() {}

  private record Written(String id, String label, String mediaType, byte[] bytes)
      implements ContentStream {

    @Override
    public long sizeBytes() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  public static boolean canModify(RepositoryObject object) {
    return !object.content().isEmpty() || object instanceof ComposedObject;
  }

  /**
   * Returns the datastream that a step writes.
   *
   * @throws IllegalArgumentException if the object has nothing to modify
   */
  public static ContentStream modification(RepositoryObject object, long step) {
    if (!object.content().isEmpty()) {
      ContentStream first = object.content().get(0);
      int bytes = (int) Math.max(MIN_BYTES, Math.min(MAX_BYTES, first.sizeBytes()));
      return new Written(
          first.id(), first.label(), first.mediaType(), text(object, step, MODIFICATION, bytes));
    }
    if (object instanceof ComposedObject composed) {
      return new Written(
          "DC", "", "text/xml", FoxmlWriter.dublinCore(changedDublinCore(composed, step)));
    }
    throw new IllegalArgumentException(object.pid() + " has no managed content to modify");
  }

  /** A datastream that a step adds; generated on reading, since there can be very many. */
  private record Addition(RepositoryObject object, long step) implements ContentStream {

    @Override
    public String id() {
      return "ADDED-" + step;
    }

    @Override
    public String label() {
      return id();
    }

    @Override
    public String mediaType() {
      return "text/plain";
    }

    @Override
    public long sizeBytes() {
      return ADDED_BYTES;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(text(object, step, ADDITION, ADDED_BYTES));
    }
  }

  public static ContentStream addition(RepositoryObject object, long step) {
    return new Addition(object, step);
  }

  public static RepositoryObject modified(RepositoryObject object, long step) {
    ContentStream modification = modification(object, step);
    if (object.content().isEmpty()) {
      ComposedObject before = (ComposedObject) object;
      return new ComposedObject(
          before.pid(),
          before.label(),
          before.content(),
          changedDublinCore(before, step),
          before.relationships(),
          before.versions());
    }
    List<ContentStream> content = new ArrayList<>(object.content());
    content.set(0, modification);
    return withContent(object, content);
  }

  public static RepositoryObject added(RepositoryObject object, long step) {
    return added(object, step, 1);
  }

  /** Returns the object after consecutive steps have each added a datastream to it. */
  public static RepositoryObject added(RepositoryObject object, long firstStep, long steps) {
    List<ContentStream> content = new ArrayList<>(object.content());
    for (long step = firstStep; step < firstStep + steps; step++) {
      content.add(addition(object, step));
    }
    return withContent(object, content);
  }

  private static RepositoryObject withContent(
      RepositoryObject object, List<ContentStream> content) {
    if (object instanceof ComposedObject composed) {
      return new ComposedObject(
          composed.pid(),
          composed.label(),
          content,
          composed.dublinCore(),
          composed.relationships(),
          composed.versions());
    }
    PackagedObject packaged = (PackagedObject) object;
    Set<String> ids = new LinkedHashSet<>(packaged.datastreamIds());
    content.forEach(stream -> ids.add(stream.id()));
    return new PackagedObject(
        packaged.pid(),
        packaged.label(),
        content,
        ids,
        packaged.triples()
            + FedoraRules.TRIPLES_OF_A_DATASTREAM * (content.size() - packaged.content().size()),
        packaged.foxmlBytes(),
        packaged.foxml());
  }

  private static List<DublinCoreValue> changedDublinCore(ComposedObject object, long step) {
    List<DublinCoreValue> values = new ArrayList<>(object.storedDublinCore());
    int last = values.size() - 1;
    while (last > 0 && values.get(last).element().equals("identifier")) {
      last--;
    }
    DublinCoreValue value = values.get(last);
    if (value.element().equals("identifier")) {
      return values; // only identifiers: unchanged
    }
    String text = value.value();
    int end = Math.min(MAX_VALUE_LENGTH, text.length());
    if (end < text.length() && Character.isLowSurrogate(text.charAt(end))) {
      end--;
    }
    values.set(
        last,
        new DublinCoreValue(
            value.element(), text.substring(0, end).strip() + " (modification " + step + ")"));
    return values;
  }

  /** Returns lines of random hexadecimal digits under a heading. */
  private static byte[] text(RepositoryObject object, long step, int stream, int bytes) {
    StringBuilder text = new StringBuilder(bytes + 80);
    text.append("Step ").append(step).append(" of ").append(object.pid()).append('\n');
    StableRandom random = StableRandom.of(object.pid().hashCode(), stream, step);
    while (text.length() < bytes) {
      for (int i = 0; i < 4; i++) {
        text.append(HexFormat.of().toHexDigits(random.nextLong()));
      }
      text.append('\n');
    }
    return text.substring(0, bytes).getBytes(StandardCharsets.US_ASCII);
  }
}
