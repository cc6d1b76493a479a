package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a Fedora says of itself to anybody.
 *
 * @param version such as {@code 3.8.1}; empty if it does not say
 * @param pidNamespace namespace of the PIDs that it makes by itself; empty if it does not say
 * @param retainedNamespaces namespaces of PIDs that its PID generator is told of, {@code *} for
 *     all; empty if it does not say
 */
public record RepositoryDescription(
    String version, String pidNamespace, Set<String> retainedNamespaces) {

  public RepositoryDescription {
    retainedNamespaces = Set.copyOf(retainedNamespaces);
  }

  /**
   * Reads Fedora's answer to {@code /describe?xml=true}.
   *
   * @throws IOException if it is no XML, or longer than is read
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
