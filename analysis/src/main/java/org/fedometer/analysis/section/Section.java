package org.fedometer.analysis.section;

import java.util.ArrayList;
import java.util.List;

/**
 * A section of a report, for terminals and pages; each block defines where it is shown. Built by
 * one thread, then immutable.
 */
public final class Section {
  private final String id;
  private final String link;
  private final String title;
  private final String heading;
  private final List<Block> blocks = new ArrayList<>();

  /**
   * @param id on a page
   * @param link its name in a page's navigation
   * @param title on a page
   * @param heading on a terminal
   */
  public Section(String id, String link, String title, String heading) {
    this.id = id;
    this.link = link;
    this.title = title;
    this.heading = heading;
  }

  public Section(String id, String link, String title) {
    this(id, link, title, title);
  }

  public Section add(Block... more) {
    blocks.addAll(List.of(more));
    return this;
  }

  public String id() {
    return id;
  }

  public String link() {
    return link;
  }

  public String title() {
    return title;
  }

  public String heading() {
    return heading;
  }

  public List<Block> blocks() {
    return List.copyOf(blocks);
  }
}
