package org.fedometer.collector.http;

/**
 * Handles requests for a path. Called on a thread that may block on disk; one request at a time.
 */
interface Page {
  Reply handle(Request request) throws Exception;
}
