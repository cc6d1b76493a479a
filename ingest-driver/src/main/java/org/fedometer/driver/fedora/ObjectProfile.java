package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * Fedora's profile of an object.
 *
 * @param label the object's label, empty if none
 * @param created by Fedora's clock, unless the ingested FOXML had a date. Null if unreadable
 * @param lastModified by Fedora's clock, set while Fedora stores the object. Null if unreadable
 */
public record ObjectProfile(String pid, String label, Instant created, Instant lastModified) {

  static ObjectProfile read(InputStream in) throws IOException {
    String[] found = {"", "", "", ""};
    FedoraXml.forEachElement(
        in,
        element -> {
          switch (element.name()) {
            case "objectProfile" -> found[0] = element.attribute("pid");
            case "objLabel" -> found[1] = element.text();
            case "objCreateDate" -> found[2] = element.text();
            case "objLastModDate" -> found[3] = element.text();
            default -> {}
          }
        });
    return new ObjectProfile(found[0], found[1], instant(found[2]), instant(found[3]));
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
