package org.fedometer.agent.core.log4j2;

import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.message.MapMessage;
import org.apache.logging.log4j.util.IndexedReadOnlyStringMap;

/** The fields of one event, which the layout formats as JSON. Not thread-safe. */
final class EventFields extends MapMessage<EventFields, Object> {

  private static final long serialVersionUID = 1L;

  /** Returns the events as a value of another event's field. */
  static List<IndexedReadOnlyStringMap> data(List<EventFields> several) {
    List<IndexedReadOnlyStringMap> data = new ArrayList<>(several.size());
    for (EventFields each : several) {
      data.add(each.getIndexedReadOnlyStringMap());
    }
    return data;
  }
}
