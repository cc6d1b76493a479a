package org.fedometer.collector.http;

/**
 * A question that has been let in.
 *
 * @param path decoded, without what is behind the question mark
 * @param trusted whether it may be told everything: it showed the token, or none is asked for
 */
record Request(String path, boolean trusted) {}
