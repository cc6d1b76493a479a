package org.fedometer.collector.measured;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.fedometer.collector.measured.MeasuredEvent.IntegerField;
import org.fedometer.collector.measured.MeasuredEvent.TextField;
import org.fedometer.collector.segmentlog.EventConnection;
import org.fedometer.wire.session.Hello;

/**
 * Identity of a connection's source, from the event {@code hello}.
 *
 * @param hello its equivalent on the wire
 * @param sameMoment milliseconds since 1970 at the nanoseconds of the hello
 */
record Introduction(Hello hello, long sameMoment) {
  /** Version of the event fields that this collector supports. */
  private static final int SCHEMA = 1;

  private static final int MAX_TEXT_BYTES = 1024;
  private static final long NANOS_A_MILLI = 1_000_000;

  /**
   * @param bootId of this host, or empty
   * @param arrivedMillis arrival of the event, milliseconds since 1970
   */
  static Introduction of(MeasuredEvent event, String bootId, long arrivedMillis)
      throws MalformedEventException {
    if (!event.text(TextField.EVENT).equals("hello")) {
      throw new MalformedEventException(
          "The first Fedometer event of a connection is \"hello\", not \""
              + shortened(event.text(TextField.EVENT))
              + "\"");
    }
    long schema = event.integer(IntegerField.SCHEMA);
    if (schema != SCHEMA) {
      throw new MalformedEventException(
          "The events have schema " + schema + "; this collector supports schema " + SCHEMA);
    }
    String kind = text(event, TextField.KIND);
    if (kind.equals(Hello.PROBE) || kind.equals(Hello.READER)) {
      throw new MalformedEventException("A source of events cannot be a " + kind);
    }
    Map<String, String> attributes = attributes(event);
    long nanos = event.integer(IntegerField.NANOS);
    long epochNanos = event.integer(IntegerField.EPOCH_NANOS);
    boolean sameHost = !bootId.isEmpty() && bootId.equals(attributes.get(Hello.BOOT_ID));
    // On the same host both share a time of day, independent of when the event was read. Another
    // host's clock may be arbitrary, so the arrival time is used, as on the wire.
    long hereNanos = sameHost ? nanos - Math.floorMod(epochNanos, NANOS_A_MILLI) : nanos;
    long sameMoment = sameHost ? Math.floorDiv(epochNanos, NANOS_A_MILLI) : arrivedMillis;
    Hello hello =
        Hello.builder(uuid(event.text(TextField.SOURCE)), kind)
            .sourceName(text(event, TextField.NAME))
            .runId(text(event, TextField.RUN))
            .runName(text(event, TextField.RUN_NAME))
            .attributes(attributes)
            .nanos(hereNanos)
            .build();
    return new Introduction(hello, sameMoment);
  }

  private static UUID uuid(String text) throws MalformedEventException {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new MalformedEventException("A source is a UUID, not \"" + shortened(text) + "\"");
    }
  }

  private static Map<String, String> attributes(MeasuredEvent event) {
    Map<String, String> attributes = new LinkedHashMap<>();
    event
        .others()
        .forEach(
            (name, value) -> {
              if (fits(name) && fits(value)) {
                attributes.put(name, value);
              }
            });
    String pid = event.textOrEmpty(TextField.PID);
    if (!pid.isEmpty() && fits(pid)) {
      attributes.put("pid", pid);
    }
    attributes.put(EventConnection.TRANSPORT, EventConnection.LOG4J2);
    return attributes;
  }

  private static String text(MeasuredEvent event, TextField which) throws MalformedEventException {
    String text = event.textOrEmpty(which);
    if (!fits(text)) {
      throw new MalformedEventException(
          "A text of \"hello\" has more than " + MAX_TEXT_BYTES + " bytes: " + shortened(text));
    }
    return text;
  }

  private static boolean fits(String text) {
    return text.length() <= MAX_TEXT_BYTES
        && text.getBytes(StandardCharsets.UTF_8).length <= MAX_TEXT_BYTES;
  }

  private static String shortened(String text) {
    return text.substring(0, Math.min(text.length(), 40));
  }
}
