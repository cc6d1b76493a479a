package org.fedometer.profiles.stack.fedora;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A request as Fedora shows it to its policies: attributes by their identifiers, as far as they are
 * known beforehand. What is not in it is not known, except where it is said that there is none.
 *
 * @param user who logs in
 * @param attributes identifier to values
 */
public record PolicyRequest(String user, Map<String, List<String>> attributes) {

  private static final String ROOT = "urn:fedora:names:fedora:2.1:";

  public PolicyRequest {
    attributes = Map.copyOf(attributes);
  }

  /**
   * @param action such as {@code ingest}
   * @param changes whether it is of API-M, as against API-A
   * @param pid that it is about
   */
  public static PolicyRequest of(String action, boolean changes, String user, String pid) {
    return new PolicyRequest(
        user,
        Map.of(
            ROOT + "action:id",
            List.of(ROOT + "action:id-" + action),
            ROOT + "action:api",
            List.of(ROOT + "action:" + (changes ? "api-m" : "api-a")),
            ROOT + "subject:loginId",
            List.of(user),
            ROOT + "resource:object:pid",
            List.of(pid),
            ROOT + "resource:object:namespace",
            List.of(pid.substring(0, pid.indexOf(':'))),
            // What a driver sends is active.
            ROOT + "resource:object:state",
            List.of("A"),
            ROOT + "resource:datastream:state",
            List.of("A")));
  }

  /** The same about content at a place, of a control group. */
  public PolicyRequest withContent(String location, char controlGroup) {
    return with(ROOT + "resource:datastream:location", List.of(location))
        .with(ROOT + "resource:datastream:controlGroup", List.of(String.valueOf(controlGroup)));
  }

  /** The same from an address. */
  public PolicyRequest from(String clientAddress) {
    return with(ROOT + "environment:httpRequest:clientIpAddress", List.of(clientAddress));
  }

  PolicyRequest withRoles(List<String> roles) {
    return with("fedoraRole", roles);
  }

  private PolicyRequest with(String attribute, List<String> values) {
    Map<String, List<String>> more = new HashMap<>(attributes);
    more.put(attribute, List.copyOf(values));
    return new PolicyRequest(user, more);
  }
}
