package org.fedometer.driver.fedora;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bodies as a real Fedora 3.8.1 sent them, shortened. */
public class FedoraMessagesTest {

  public static final String VALIDATION =
      """
      <?xml version="1.0" encoding="UTF-8"?><management:validation  \
      xmlns:management="http://www.fedora.info/definitions/1/0/management/" pid="unknown"  valid="true">
        <management:contentModels>
        </management:contentModels>
        <management:problems>
          <management:problem>Schematron validation failed:org.xml.sax.SAXParseException; lineNumber: 1; \
      columnNumber: 1; Content is not allowed in prolog.</management:problem>
        </management:problems>
        <management:datastreamProblems>
        </management:datastreamProblems>
      </management:validation>
      """;

  private static final String SERVLET =
      """
      <html><head>
            <title>Fedora: 500 Internal Server Error</title></head>
         <body>
            <center>
               <table border="0" cellpadding="0" cellspacing="0" width="784">
                  <tbody><tr>
                     <td height="134" valign="top" width="141"><img src="/fedora/images/newlogo2.jpg"></td>
                     <td valign="top" width="643">
                        <center>
                           <h2>500 Internal Server Error</h2>
                        </center>
      Parse error: org.trippi.TrippiException: Triple pattern token count not divisible by 3.
                     </td>
                  </tr>
      <tr>
      <td colspan="2">
      <hr size="1"/>
      <pre>
      org.trippi.TrippiException: Parse error: org.trippi.TrippiException: Triple pattern token count not divisible by 3.
      \tat org.trippi.TriplePattern.parse(TriplePattern.java:77)
      \tat org.trippi.impl.base.ConcurrentTriplestoreReader.findTriples(ConcurrentTriplestoreReader.java:126)
      \t... 23 more
      </pre>
      </td></tr></table></body></html>
      """;

  private static final String TOMCAT =
      """
      <html><head><title>Apache Tomcat/7.0.55 - Error report</title><style><!--H1 {color:white;}--></style>\
      </head><body><h1>HTTP Status 404 - /nothing/describe</h1><HR size="1" noshade="noshade"><p><b>type</b> \
      Status report</p><p><b>message</b> <u>/nothing/describe</u></p><p><b>description</b> <u>The requested \
      resource is not available.</u></p><HR size="1" noshade="noshade"><h3>Apache Tomcat/7.0.55</h3></body></html>
      """;

  @Test
  void whatDoesNotValidateIsTheProblemItself() {
    assertThat(FedoraMessages.extract("text/xml", VALIDATION))
        .isEqualTo(
            "Schematron validation failed:org.xml.sax.SAXParseException; lineNumber: 1;"
                + " columnNumber: 1; Content is not allowed in prolog.");
  }

  @Test
  void aServletsStackTraceIsItsMessageOnce() {
    assertThat(FedoraMessages.extract("text/html;charset=UTF8", SERVLET))
        .isEqualTo(
            "Parse error: org.trippi.TrippiException: Triple pattern token count not divisible by"
                + " 3.");
  }

  @Test
  void tomcatsPageIsItsMessage() {
    assertThat(FedoraMessages.extract("text/html", TOMCAT)).isEqualTo("/nothing/describe");
  }

  @Test
  void plainTextStaysAndNothingIsNothing() {
    assertThat(
            FedoraMessages.extract(
                "text/plain", "Object not found in low-level storage: demo:none"))
        .isEqualTo("Object not found in low-level storage: demo:none");
    assertThat(FedoraMessages.extract("", "")).isEmpty();
    assertThat(FedoraMessages.extract("", "Fedora: 401 ")).isEqualTo("Fedora: 401");
  }

  @Test
  void aPageOfMegabytesWithEscapesIsOneShortLine() {
    for (String type : List.of("text/html", "text/plain", "")) {
      String message =
          FedoraMessages.extract(
              type, "no \u001b[2J\u009bway\r\n" + "and \u001b]0;so on\u0007 ".repeat(300_000));

      assertThat(message).startsWith("no ").hasSizeLessThanOrEqualTo(500);
      assertThat(message.chars()).noneMatch(Character::isISOControl);
    }
  }

  @Test
  @Timeout(60)
  void whateverComesIsOneShortLineAndIsReadToItsEnd() {
    Random random = new Random(1);
    String[] pieces = {
      "<", "<head", "</", ">", "<!--", "&lt;", "\tat a.b(", "<b>message</b>", "\n"
    };
    for (int i = 0; i < 300; i++) {
      byte[] bytes = new byte[random.nextInt(20_000)];
      random.nextBytes(bytes);
      StringBuilder body = new StringBuilder(new String(bytes, StandardCharsets.UTF_8));
      for (int j = 0; j < 3000; j++) {
        body.insert(random.nextInt(body.length() + 1), pieces[random.nextInt(pieces.length)]);
      }
      String message = FedoraMessages.extract(i % 2 == 0 ? "text/html" : "", body.toString());
      assertThat(message).hasSizeLessThanOrEqualTo(500);
      assertThat(message.chars()).noneMatch(Character::isISOControl);
    }
  }
}
