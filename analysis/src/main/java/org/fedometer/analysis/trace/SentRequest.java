package org.fedometer.analysis.trace;

import org.fedometer.analysis.trace.ObjectTrace.Request;

/**
 * A request with its clock, which is not displayed. Immutable.
 *
 * @param startNanos by the driver's clock
 * @param bootId of the driver's host, or empty
 */
record SentRequest(Request request, long startNanos, String bootId) {}
