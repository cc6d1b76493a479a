package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Fedora's public description of itself.
 *
 * @param version such as {@code 3.8.1}; empty if missing
 * @param pidNamespace namespace of generated PIDs; empty if missing
 * @param retainedNamespaces namespaces of PIDs that the PID generator learns of, {@code *} for all;
 *     empty if missing
 */
public record RepositoryDescription(
    String version, String pidNamespace, Set<String> retainedNamespaces) {

  public RepositoryDescription {
    retainedNamespaces = Set.copyOf(retainedNamespaces);
  }

  /**
   * Parses Fedora's response to {@code /describe?xml=true}.
   *
   * @throws IOException if it is no XML, or too long
   */
  public static RepositoryDescription read(InputStream in) throws IOException {
    StringBuilder version = new StringBuilder();
    StringBuilder namespace = new StringBuilder();
    Set<String> retained = new LinkedHashSet<>();
    FedoraXml.forEachElement(
        in,
        element -> {
          switch (element.name()) {
            case "repositoryVersion" -> version.append(element.text().strip());
            case "PID-namespaceIdentifier" -> namespace.append(element.text().strip());
            case "retainPID" -> retained.add(element.text().strip());
            default -> {}
          }
        });
    return new RepositoryDescription(version.toString(), namespace.toString(), retained);
  }
}
