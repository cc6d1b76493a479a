package org.fedometer.datasets;

/**
 * One statement of RELS-EXT; the subject is the object itself.
 *
 * @param predicate full URI
 * @param object URI, or the text of a plain literal
 * @param literal whether {@code object} is a literal
 */
public record Relationship(String predicate, String object, boolean literal) {}
