package org.fedometer.store.query;

/**
 * @param name as the question calls it
 * @param type DuckDB's name of its type, such as {@code BIGINT}
 */
public record Column(String name, String type) {}
