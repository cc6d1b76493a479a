package org.fedometer.collector.http;

import java.util.List;
import java.util.Map;

/**
 * A question that has been let in.
 *
 * @param path decoded, without what is behind the question mark
 * @param parameters what is behind it, decoded
 * @param trusted whether it may be told everything: it showed the token, or none is asked for
 * @param head whether only the head of the answer is asked for
 * @param ifNoneMatch the header, or null
 */
record Request(
    String path,
    Map<String, List<String>> parameters,
    boolean trusted,
    boolean head,
    String ifNoneMatch) {}
