package org.fedometer.store.query;

/**
 * @param name as in the query
 * @param type DuckDB's name of its type, such as {@code BIGINT}
 */
public record Column(String name, String type) {}
