package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.InputStream;

/**
 * Fedora's profile of a datastream; fields that Fedora omits are empty.
 *
 * @param versionId latest version: the identifier, a dot, and 0 for the first
 * @param controlGroup X, M, E or R
 * @param checksumType name of the algorithm, {@code DISABLED} for none
 * @param checksum lower-case hexadecimal, {@code none} for none
 * @param sizeBytes recorded size of the content, as text
 */
public record DatastreamProfile(
    String versionId,
    String controlGroup,
    String checksumType,
    String checksum,
    String mediaType,
    String sizeBytes) {

  static DatastreamProfile read(InputStream in) throws IOException {
    String[] found = {"", "", "", "", "", ""};
    FedoraXml.forEachElement(
        in,
        element -> {
          switch (element.name()) {
            case "dsVersionID" -> found[0] = element.text();
            case "dsControlGroup" -> found[1] = element.text();
            case "dsChecksumType" -> found[2] = element.text();
            case "dsChecksum" -> found[3] = element.text();
            case "dsMIME" -> found[4] = element.text();
            case "dsSize" -> found[5] = element.text();
            default -> {}
          }
        });
    return new DatastreamProfile(found[0], found[1], found[2], found[3], found[4], found[5]);
  }
}
