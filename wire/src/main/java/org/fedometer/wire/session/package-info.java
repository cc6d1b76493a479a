/**
 * Payloads of a session: introductions, dictionaries, progress of the collector, queries and
 * results. Fields of later versions are ignored.
 */
package org.fedometer.wire.session;
