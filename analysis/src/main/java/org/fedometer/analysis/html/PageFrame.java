package org.fedometer.analysis.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.fedometer.web.WebAsset;

/**
 * The frame of every page: title, sections, and all its embedded resources. Immutable.
 *
 * @param title of the browser's tab
 * @param fileName base name of files saved from it
 * @param sections targets of the navigation
 * @param json its data, safe within a script element
 * @param script its own script, which draws the data
 * @param version of Fedometer that made it
 */
public record PageFrame(
    String title,
    String fileName,
    List<Section> sections,
    String json,
    String script,
    String version) {

  public record Section(String id, String title) {}

  public PageFrame {
    sections = List.copyOf(sections);
    json = safeInScript(json);
  }

  public String style() {
    return WebAsset.UPLOT_STYLE.text() + "\n" + WebAsset.STYLE.text();
  }

  /** Returns the scripts in order of execution. */
  public List<String> scripts() {
    return List.of(WebAsset.UPLOT_SCRIPT.text(), WebAsset.CHARTS_SCRIPT.text(), script);
  }

  /**
   * Returns a content security policy that forbids loading, and scripts other than the page's own,
   * identified by SHA-256. Foreign text that became a script by mistake would not run.
   */
  public String policy() {
    List<String> hashes = new ArrayList<>();
    for (String each : scripts()) {
      hashes.add("'sha256-" + sha256(each) + "'");
    }
    return "default-src 'none'; script-src "
        + String.join(" ", hashes)
        + "; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'";
  }

  private static String sha256(String script) {
    try {
      return Base64.getEncoder()
          .encodeToString(
              MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256.", e);
    }
  }

  /** Escapes JSON without changing its meaning, so that no text in it ends the script element. */
  private static String safeInScript(String json) {
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  static void addIf(boolean there, List<Section> sections, String id, String title) {
    if (there) {
      sections.add(new Section(id, title));
    }
  }

  static String script(String fileName) {
    try (InputStream file = PageFrame.class.getResourceAsStream(fileName)) {
      if (file == null) {
        throw new IllegalStateException(fileName + " is missing in the jar of analysis.");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(fileName + " cannot be read from its jar", e);
    }
  }

  /** Returns a name safe in file names: letters, digits, dot and hyphen. */
  static String fileName(String name) {
    String safe = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]+", "-");
    return safe.isEmpty() || safe.startsWith(".") ? "run" + safe : safe;
  }
}
