package org.fedometer.datasets;

/**
 * One element of a Dublin Core record.
 *
 * @param element name without prefix: {@code title}, {@code creator}, ...
 * @param value its text
 */
public record DublinCoreValue(String element, String value) {}
