package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonFaultTest {
  /** A document of this test. */
  record Document(String name, List<Part> parts) {
    Document {
      Objects.requireNonNull(name, "name");
      parts = List.copyOf(parts);
      if (name.isEmpty()) {
        throw new IllegalArgumentException("the name is empty");
      }
    }
  }

  /** A part of it. */
  record Part(int number) {}

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | it is empty",
        "{\"name\": | its JSON ends too early at line 1, column 9",
        "{\"name\": x} | it is not JSON at line 1, column 10",
        "{\"name\": \"a\", \"parts\": [], \"colour\": 1} | it has the field colour, which this version of Fedometer does not know",
        "{\"name\": \"a\", \"parts\": [{\"number\": 1}, {\"number\": \"x\"}]} | its field parts[1].number has a value of the wrong kind at line 1, column 51",
        "{\"parts\": []} | it lacks the field name",
        "{\"name\": \"a\"} | it lacks a field",
        "{\"name\": \"\", \"parts\": []} | its values are invalid: the name is empty",
        "[1] | it is JSON of the wrong type",
      })
  void messagesNameNoJavaClass(String json, String words) {
    JacksonException fault =
        catchThrowableOfType(
            JacksonException.class, () -> new ObjectMapper().readValue(json, Document.class));

    assertThat(JsonFault.of(fault)).isEqualTo(words);
  }
}
