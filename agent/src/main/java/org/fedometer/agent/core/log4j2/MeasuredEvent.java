package org.fedometer.agent.core.log4j2;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.AbstractLogEvent;
import org.apache.logging.log4j.core.time.MutableInstant;
import org.apache.logging.log4j.message.Message;

/** An event for Log4j2: fields and a time of day. Not thread-safe. */
final class MeasuredEvent extends AbstractLogEvent {

  private static final long serialVersionUID = 1L;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final transient EventFields fields;
  private final transient MutableInstant time = new MutableInstant();

  /**
   * @param epochNanos since 1970, UTC
   */
  MeasuredEvent(EventFields fields, long epochNanos) {
    this.fields = fields;
    time.initFromEpochSecond(
        Math.floorDiv(epochNanos, NANOS_PER_SECOND),
        (int) Math.floorMod(epochNanos, NANOS_PER_SECOND));
  }

  @Override
  public Message getMessage() {
    return fields;
  }

  @Override
  public Level getLevel() {
    return Level.INFO;
  }

  @Override
  public MutableInstant getInstant() {
    return time;
  }

  @Override
  public long getTimeMillis() {
    return time.getEpochMillisecond();
  }
}
