package org.fedometer.datasets;

import java.util.Objects;

/**
 * A statement to add to the RELS-EXT of an object in Fedora. It makes one triple, and Fedora does
 * not add it twice.
 *
 * @param pid the PID of the object whose RELS-EXT grows
 */
public record AddedStatement(String pid, Relationship statement) {

  public AddedStatement {
    Objects.requireNonNull(pid, "pid");
    Objects.requireNonNull(statement, "statement");
  }
}
