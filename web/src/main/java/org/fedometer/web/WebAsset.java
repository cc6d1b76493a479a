package org.fedometer.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A file that pages of ours are made of. Reports have it inside them, the collector serves it.
 * Immutable, safe on any thread.
 */
public enum WebAsset {
  /** uPlot 1.6.32, which draws charts over time; MIT licence, see {@code uplot-LICENSE.txt}. */
  UPLOT_SCRIPT("uplot.js"),

  /** uPlot's own style. */
  UPLOT_STYLE("uplot.css"),

  /** Colours and layout of all pages, light and dark, on screen and on paper. */
  STYLE("style.css"),

  /** Charts, tables and their CSV, the keyboard: what reports and the dashboard have in common. */
  CHARTS_SCRIPT("charts.js");

  private final String fileName;

  WebAsset(String fileName) {
    this.fileName = fileName;
  }

  /** The file of that name, empty where there is none. */
  public static Optional<WebAsset> named(String fileName) {
    return Arrays.stream(values()).filter(asset -> asset.fileName.equals(fileName)).findFirst();
  }

  /** The whole file; all are UTF-8. */
  public String text() {
    try (InputStream file = WebAsset.class.getResourceAsStream(fileName)) {
      if (file == null) {
        throw new IllegalStateException(fileName + " is missing in the jar of web.");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(fileName + " cannot be read from its jar", e);
    }
  }
}
