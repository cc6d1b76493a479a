package org.fedometer.collector.http;

/** What lies at a path. Called on a thread that may read the disk; one question at a time. */
interface Page {
  Reply handle(Request request) throws Exception;
}
