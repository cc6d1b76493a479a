package org.fedometer.profiles.stack.fedora;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fedometer.profiles.stack.program.XmlFile;
import org.w3c.dom.Element;

/**
 * What a Fedora's XACML policies say of a request, as far as that can be told without Fedora.
 * Fedora 3.8.1 combines its policies so that a denial always wins, and refuses what none permits.
 * Policies of the attributes of single objects are not known here. Immutable.
 */
public final class AccessPolicies {

  /** What policies are for: how Fedora goes about them. */
  enum Mode {
    PERMIT_ALL,
    DENY_ALL,
    ENFORCE
  }

  /**
   * Why a request may be refused.
   *
   * @param policy file of the policy; empty if it is that none permits
   * @param certain whether it is, as against depending on what cannot be told from here
   */
  public record Denial(String policy, boolean certain) {}

  private final Mode mode;
  private final Map<String, Element> policies;
  private final Map<String, List<String>> roles;

  /** Files that are no policies of the kind that is known here, and what may not be read. */
  private final List<String> unread;

  private AccessPolicies(
      Mode mode,
      Map<String, Element> policies,
      Map<String, List<String>> roles,
      List<String> unread) {
    this.mode = mode;
    this.policies = policies;
    this.roles = roles;
    this.unread = List.copyOf(unread);
  }

  /** Those that Fedora brings along, which let an administrator do everything from loopback. */
  public static AccessPolicies shipped(boolean enforced) {
    return new AccessPolicies(
        enforced ? Mode.ENFORCE : Mode.PERMIT_ALL, Map.of(), Map.of(), List.of());
  }

  /**
   * @param mode as ENFORCE-MODE in fedora.fcfg
   * @param folder of the policies; there is none before Fedora's first start
   * @param users fedora-users.xml, which says who is an administrator
   */
  public static AccessPolicies read(String mode, Path folder, Path users) throws IOException {
    Mode how =
        switch (mode) {
          case "permit-all-requests" -> Mode.PERMIT_ALL;
          case "deny-all-requests" -> Mode.DENY_ALL;
          default -> Mode.ENFORCE;
        };
    Map<String, Element> policies = new HashMap<>();
    List<String> unread = new ArrayList<>();
    if (how == Mode.ENFORCE && Files.isDirectory(folder)) {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (Files.isRegularFile(file) && file.toString().endsWith(".xml")) {
                Element root = root(file);
                if (root != null && root.getLocalName().equals("Policy")) {
                  policies.put(folder.relativize(file).toString(), root);
                } else {
                  unread.add(folder.relativize(file).toString());
                }
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
              // A folder, perhaps, that is for Fedora's user alone.
              unread.add(file.equals(folder) ? "." : folder.relativize(file).toString());
              return FileVisitResult.CONTINUE;
            }
          });
    }
    Collections.sort(unread);
    return new AccessPolicies(how, policies, roles(users), unread);
  }

  private static Element root(Path file) {
    try {
      return XmlFile.read(file).root();
    } catch (IOException e) {
      return null; // one that Fedora does not load, either, if it is broken
    }
  }

  private static Map<String, List<String>> roles(Path users) throws IOException {
    Map<String, List<String>> roles = new HashMap<>();
    if (Files.isRegularFile(users)) {
      for (Element user : XmlFile.read(users).all("user")) {
        for (Element attribute : XmlFile.children(user, "attribute")) {
          if (attribute.getAttribute("name").equals("fedoraRole")) {
            roles.put(
                user.getAttribute("name"),
                XmlFile.children(attribute, "value").stream()
                    .map(value -> value.getTextContent().strip())
                    .toList());
          }
        }
      }
    }
    return roles;
  }

  /** Whether Fedora asks its policies at all. */
  public boolean areEnforced() {
    return mode == Mode.ENFORCE;
  }

  /** Files and folders beside the policies that could not be read as one. */
  public List<String> unread() {
    return unread;
  }

  /** How many there are. */
  public int count() {
    return policies.size();
  }

  /** What may refuse a request; empty if nothing does. */
  public List<Denial> denials(PolicyRequest request) {
    if (mode == Mode.PERMIT_ALL) {
      return List.of();
    }
    if (mode == Mode.DENY_ALL) {
      return List.of(new Denial("ENFORCE-MODE deny-all-requests", true));
    }
    if (policies.isEmpty()) {
      return List.of();
    }
    PolicyRequest known =
        Optional.ofNullable(roles.get(request.user())).map(request::withRoles).orElse(request);
    List<Denial> denials = new ArrayList<>();
    PolicyReading.Truth permitted = PolicyReading.Truth.FALSE;
    for (Map.Entry<String, Element> policy : policies.entrySet()) {
      PolicyReading reading = new PolicyReading(policy.getValue(), known);
      PolicyReading.Truth denied = reading.has("Deny");
      if (denied != PolicyReading.Truth.FALSE) {
        denials.add(new Denial(policy.getKey(), denied == PolicyReading.Truth.TRUE));
      }
      permitted = permitted.or(reading.has("Permit"));
    }
    if (permitted != PolicyReading.Truth.TRUE) {
      denials.add(new Denial("", permitted == PolicyReading.Truth.FALSE));
    }
    return List.copyOf(denials);
  }
}
