package org.fedometer.store;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.stream.Collectors;

/** Words for why JSON cannot be used: Jackson's have the names of classes. Stateless. */
public final class JsonFault {
  private JsonFault() {}

  /** A part of a sentence: which field, or which line and column. */
  public static String of(JacksonException e) {
    JsonLocation at = e.getLocation();
    String where =
        at == null ? "" : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
    if (!(e instanceof JsonMappingException mapping)
        || mapping.getCause() instanceof StreamReadException) {
      return "it is no JSON" + where;
    }
    String field =
        mapping.getPath().stream()
            .map(
                step ->
                    step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName())
            .collect(Collectors.joining("."));
    return field.isEmpty()
        ? "its JSON is not of the kind that is wanted" + where
        : "the value of " + field + " is not of the kind that is wanted" + where;
  }
}
