package org.fedometer.store;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.PropertyBindingException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.stream.Collectors;
import org.fedometer.wire.FailureText;

/**
 * Explains to a user why a JSON document could not be read, since Jackson's messages name Java
 * classes. Stateless, any thread.
 */
public final class JsonFault {
  private JsonFault() {}

  /**
   * Returns a clause without a subject's name, such as {@code it is no JSON at line 3, column 7}.
   */
  public static String of(JacksonException e) {
    if (e instanceof JsonEOFException) {
      return "its JSON ends too early" + at(e.getLocation());
    }
    if (e instanceof StreamReadException) {
      return "it is not JSON" + at(e.getLocation());
    }
    if (!(e instanceof JsonMappingException mapping)) {
      return "it is not JSON";
    }
    String field = field(mapping);
    if (e instanceof PropertyBindingException) {
      return "it has the field " + field + ", which this version of Fedometer does not know";
    }
    if (e instanceof ValueInstantiationException && e.getCause() != null) {
      return e.getCause() instanceof NullPointerException
          ? lacking(field, e.getCause().getMessage())
          : "its values are invalid: " + FailureText.of(e.getCause());
    }
    if (!field.isEmpty()) {
      return "its field " + field + " has a value of the wrong kind" + at(e.getLocation());
    }
    boolean empty = e.getLocation() == null || e.getLocation().getCharOffset() <= 0;
    return empty && e.getOriginalMessage().startsWith("No content")
        ? "it is empty"
        : "it is JSON of the wrong type";
  }

  /**
   * @param name the missing field's; otherwise the JVM's own message, a sentence about classes
   */
  private static String lacking(String object, String name) {
    if (name == null || !name.matches("\\w+")) {
      return "it lacks a field" + (object.isEmpty() ? "" : " of " + object);
    }
    return "it lacks the field " + (object.isEmpty() ? "" : object + ".") + name;
  }

  /** Returns a path such as {@code load.steps[2].workers}; empty for the whole document. */
  private static String field(JsonMappingException e) {
    return e.getPath().stream()
        .map(
            step ->
                step.getFieldName() == null
                    ? "[" + step.getIndex() + "]"
                    : "." + step.getFieldName())
        .collect(Collectors.joining())
        .replaceFirst("^\\.", "");
  }

  private static String at(JsonLocation location) {
    return location == null
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }
}
