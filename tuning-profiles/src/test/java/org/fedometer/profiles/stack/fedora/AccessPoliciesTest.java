package org.fedometer.profiles.stack.fedora;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.profiles.stack.fedora.AccessPolicies.Denial;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies like those that Fedora brings along, against the requests of a load. */
class AccessPoliciesTest {

  private static final String STRING = "http://www.w3.org/2001/XMLSchema#string";
  private static final String FUNCTION = "urn:oasis:names:tc:xacml:1.0:function:";
  private static final String FEDORA = "urn:fedora:names:fedora:2.1:";

  private static final String ANY =
      "<Subjects><AnySubject/></Subjects><Resources><AnyResource/></Resources>";

  @TempDir Path folder;

  private Path policies;
  private Path users;

  @BeforeEach
  void anAdministratorMayDoEverything() throws IOException {
    policies = Files.createDirectories(folder.resolve("policies/default"));
    users = folder.resolve("fedora-users.xml");
    Files.writeString(
        users,
        """
        <users>
          <user name="fedoraAdmin" password="x">
            <attribute name="fedoraRole"><value>administrator</value></attribute>
          </user>
          <user name="guest" password="x">
            <attribute name="fedoraRole"><value>reader</value></attribute>
          </user>
        </users>
        """);
    policy(
        "permit-administrator",
        "<Subjects><Subject><SubjectMatch MatchId=\""
            + FUNCTION
            + "string-equal\">"
            + value("administrator")
            + "<SubjectAttributeDesignator AttributeId=\"fedoraRole\"/></SubjectMatch></Subject>"
            + "</Subjects><Resources><AnyResource/></Resources><Actions><AnyAction/></Actions>",
        "<Rule RuleId=\"1\" Effect=\"Permit\"/>");
    policy(
        "deny-apim-if-not-localhost",
        ANY + action("action:api", "action:api-m"),
        "<Rule RuleId=\"1\" Effect=\"Deny\"><Condition FunctionId=\""
            + FUNCTION
            + "not\"><Apply FunctionId=\""
            + FUNCTION
            + "string-at-least-one-member-of\"><EnvironmentAttributeDesignator AttributeId=\""
            + FEDORA
            + "environment:httpRequest:clientIpAddress\"/><Apply FunctionId=\""
            + FUNCTION
            + "string-bag\">"
            + value("127.0.0.1")
            + value("::1")
            + "</Apply></Apply></Condition></Rule>");
  }

  @Test
  void anAdministratorOnLoopbackIsDeniedNothing() throws IOException {
    assertThat(enforced().denials(ingest("fedoraAdmin").from("127.0.0.1"))).isEmpty();
  }

  @Test
  void anotherHostIsDeniedWhatTheAdministratorIsPermitted() throws IOException {
    assertThat(enforced().denials(ingest("fedoraAdmin").from("10.0.0.7")))
        .containsExactly(new Denial("default/deny-apim-if-not-localhost.xml", true));
  }

  @Test
  void whatDependsOnAnAddressThatIsNotKnownIsNotCertain() throws IOException {
    assertThat(enforced().denials(ingest("fedoraAdmin")))
        .containsExactly(new Denial("default/deny-apim-if-not-localhost.xml", false));
  }

  @Test
  void whoIsPermittedNothingIsRefused() throws IOException {
    assertThat(enforced().denials(ingest("guest").from("127.0.0.1")))
        .containsExactly(new Denial("", true));
    assertThat(enforced().denials(ingest("somebody").from("127.0.0.1")))
        .as("whose roles are kept elsewhere")
        .containsExactly(new Denial("", false));
  }

  @Test
  void aPolicyAgainstPlacesOfContentDeniesThoseAlone() throws IOException {
    policy("deny-web", ANY + action("action:id", "action:id-addDatastream"), denyHttp());

    assertThat(enforced().denials(add("http://127.0.0.1:9/objects/0/PDF")))
        .containsExactly(new Denial("default/deny-web.xml", true));
    assertThat(enforced().denials(add("uploaded://1"))).isEmpty();
    assertThat(enforced().denials(ingest("fedoraAdmin").from("127.0.0.1")))
        .as("an ingest tells policies nothing of its content")
        .isEmpty();
  }

  @Test
  void theFirstRuleThatHoldsDecidesOfItsPolicy() throws IOException {
    policy(
        "web",
        ANY + action("action:id", "action:id-addDatastream"),
        "<Rule RuleId=\"0\" Effect=\"Permit\"/>" + denyHttp());

    assertThat(enforced().denials(add("http://127.0.0.1:9/objects/0/PDF"))).isEmpty();
  }

  @Test
  void aFunctionThatIsNotKnownLeavesItOpen() throws IOException {
    policy(
        "deny-at-night",
        ANY + "<Actions><AnyAction/></Actions>",
        "<Rule RuleId=\"1\" Effect=\"Deny\"><Condition FunctionId=\""
            + FUNCTION
            + "time-greater-than\">"
            + value("22:00:00")
            + value("06:00:00")
            + "</Condition></Rule>");

    assertThat(enforced().denials(ingest("fedoraAdmin").from("127.0.0.1")))
        .containsExactly(new Denial("default/deny-at-night.xml", false));
  }

  @Test
  void theModeDecidesBeforeAnyPolicy() throws IOException {
    policy(
        "deny-all",
        ANY + "<Actions><AnyAction/></Actions>",
        "<Rule RuleId=\"1\" Effect=\"Deny\"/>");

    assertThat(read("permit-all-requests").denials(ingest("guest"))).isEmpty();
    assertThat(read("deny-all-requests").denials(ingest("fedoraAdmin")))
        .containsExactly(new Denial("ENFORCE-MODE deny-all-requests", true));
    assertThat(enforced().denials(ingest("fedoraAdmin").from("127.0.0.1")))
        .containsExactly(new Denial("default/deny-all.xml", true));
  }

  @Test
  void whatIsNoPolicyIsNamed() throws IOException {
    Files.writeString(policies.resolve("set.xml"), "<PolicySet/>");
    Files.writeString(policies.resolve("broken.xml"), "<Policy");
    Files.writeString(policies.resolve("readme.txt"), "policies");

    assertThat(enforced().unread()).containsExactly("default/broken.xml", "default/set.xml");
  }

  private AccessPolicies enforced() throws IOException {
    return read("enforce-policies");
  }

  private AccessPolicies read(String mode) throws IOException {
    return AccessPolicies.read(mode, policies.getParent(), users);
  }

  private static PolicyRequest ingest(String user) {
    return PolicyRequest.of("ingest", true, user, "patent:1");
  }

  private static PolicyRequest add(String location) {
    return PolicyRequest.of("addDatastream", true, "fedoraAdmin", "patent:1")
        .from("127.0.0.1")
        .withContent(location, 'M');
  }

  private static String denyHttp() {
    return "<Rule RuleId=\"1\" Effect=\"Deny\"><Condition FunctionId=\""
        + FUNCTION
        + "regexp-string-match\">"
        + value("^https?://.*")
        + "<Apply FunctionId=\""
        + FUNCTION
        + "string-one-and-only\"><ResourceAttributeDesignator AttributeId=\""
        + FEDORA
        + "resource:datastream:location\"/></Apply></Condition></Rule>";
  }

  private static String action(String attribute, String wanted) {
    return "<Actions><Action><ActionMatch MatchId=\""
        + FUNCTION
        + "string-equal\">"
        + value(FEDORA + wanted)
        + "<ActionAttributeDesignator AttributeId=\""
        + FEDORA
        + attribute
        + "\"/></ActionMatch></Action></Actions>";
  }

  private static String value(String text) {
    return "<AttributeValue DataType=\"" + STRING + "\">" + text + "</AttributeValue>";
  }

  private void policy(String name, String target, String rules) throws IOException {
    Files.writeString(
        policies.resolve(name + ".xml"),
        "<Policy xmlns=\"urn:oasis:names:tc:xacml:1.0:policy\" PolicyId=\""
            + name
            + "\" RuleCombiningAlgId=\""
            + "urn:oasis:names:tc:xacml:1.0:rule-combining-algorithm:first-applicable\"><Target>"
            + target
            + "</Target>"
            + rules
            + "</Policy>");
  }
}
