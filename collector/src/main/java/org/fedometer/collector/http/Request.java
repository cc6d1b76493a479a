package org.fedometer.collector.http;

import java.util.List;
import java.util.Map;

/**
 * An accepted request.
 *
 * @param path decoded, without the query
 * @param parameters of the query, decoded
 * @param trusted whether it may read everything: it has the token, or none is required
 * @param head whether the method is HEAD
 * @param ifNoneMatch the header, or null
 */
record Request(
    String path,
    Map<String, List<String>> parameters,
    boolean trusted,
    boolean head,
    String ifNoneMatch) {}
