package org.fedometer.driver.fedora;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Extracts Fedora's message from an error body. Stateless, thread-safe.
 *
 * <p>Bodies of 3.8.1 are plain text for "not found", a {@code management:validation} document for
 * an invalid object, HTML with a stack trace from the servlets, and Tomcat's error page. Every
 * error 500 of the REST interface has none, even for a duplicate identifier.
 */
public final class FedoraMessages {

  /** Maximum message length in characters. */
  static final int MAX_LENGTH = 500;

  /** Number of characters searched at the start of a body. */
  private static final int MAX_SEARCHED = 16 * 1024;

  private static final Pattern PROBLEM =
      Pattern.compile(
          "<(?:\\w+:)?(?:problem|datastreamProblem)>(.*?)</(?:\\w+:)?(?:problem|datastreamProblem)>",
          Pattern.DOTALL);

  private static final Pattern TOMCAT_MESSAGE =
      Pattern.compile("<b>message</b>\\s*<u>(.*?)</u>", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

  private static final Pattern NON_TEXT =
      Pattern.compile(
          "<!--.*?-->|<(head|style|script|h1|h2|title)\\b.*?</\\1\\s*>",
          Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

  private static final Pattern TAG = Pattern.compile("<[!?/]?[A-Za-z][^<>]*>|<\\?[^<>]*>");

  private static final Pattern STACK_FRAME =
      Pattern.compile("(?m)^\\s*(?:at [\\w.$/@<>]+\\(.*|\\.\\.\\. \\d+ more)\\s*$");

  private static final Pattern EXCEPTION_PREFIX =
      Pattern.compile("^(?:Caused by: )?(?:[a-z][\\w]*\\.)+[A-Z]\\w*: ");

  private FedoraMessages() {}

  /**
   * @param contentType of the body, may be empty or wrong
   * @param body text, possibly truncated
   * @return one line without markup, at most {@link #MAX_LENGTH} characters; empty if there is no
   *     message
   */
  static String extract(String contentType, String body) {
    String text = body.substring(0, Math.min(body.length(), MAX_SEARCHED)).strip();
    if (text.isEmpty()) {
      return "";
    }
    String head = text.substring(0, Math.min(200, text.length())).toLowerCase(Locale.ROOT);
    boolean markup = head.startsWith("<") || contentType.toLowerCase(Locale.ROOT).contains("html");
    if (!markup) {
      return cut(joinedLines(text));
    }
    List<String> problems = new ArrayList<>();
    Matcher problem = PROBLEM.matcher(text);
    while (problem.find()) {
      problems.add(plain(problem.group(1)));
    }
    if (!problems.isEmpty()) {
      return cut(String.join("; ", problems));
    }
    Matcher tomcat = TOMCAT_MESSAGE.matcher(text);
    if (tomcat.find() && !tomcat.group(1).isBlank()) {
      return cut(plain(tomcat.group(1)));
    }
    String withoutHeadings = NON_TEXT.matcher(text).replaceAll("\n");
    String message = joinedLines(unescape(TAG.matcher(withoutHeadings).replaceAll("\n")));
    if (message.isEmpty()) {
      message = joinedLines(unescape(TAG.matcher(text).replaceAll("\n")));
    }
    return cut(message);
  }

  private static String plain(String markup) {
    return unescape(TAG.matcher(markup).replaceAll(" ")).strip().replaceAll("\\s+", " ");
  }

  /** Joins the lines, without stack frames and repetitions. */
  private static String joinedLines(String text) {
    List<String> lines = new ArrayList<>();
    for (String raw : STACK_FRAME.matcher(text).replaceAll("").split("\\R")) {
      String line = raw.strip().replaceAll("\\s+", " ");
      String bare = EXCEPTION_PREFIX.matcher(line).replaceFirst("");
      if (!line.isEmpty()
          && lines.stream().noneMatch(known -> known.contains(line) || known.contains(bare))) {
        lines.add(line);
      }
    }
    return String.join(" ", lines);
  }

  private static String unescape(String text) {
    if (text.indexOf('&') < 0) {
      return text;
    }
    return text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&#39;", "'")
        .replace("&nbsp;", " ")
        .replace("&amp;", "&");
  }

  /** Returns one line of printable characters, truncated to the maximum length. */
  public static String cut(String text) {
    StringBuilder line = new StringBuilder(Math.min(text.length(), MAX_LENGTH));
    for (int i = 0; i < text.length() && line.length() <= MAX_LENGTH; i++) {
      char c = text.charAt(i);
      line.append(Character.isISOControl(c) || c == '\uFFFD' ? ' ' : c);
    }
    if (line.length() <= MAX_LENGTH) {
      return line.toString();
    }
    int end = MAX_LENGTH - 3;
    if (Character.isHighSurrogate(line.charAt(end - 1))) {
      end--;
    }
    return line.substring(0, end) + "...";
  }
}
