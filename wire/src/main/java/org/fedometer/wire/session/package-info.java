/**
 * The payloads by which two ends of a session understand each other: who is there, what is known by
 * which number, how far the collector has got, questions and answers. Fields of later versions are
 * passed over.
 */
package org.fedometer.wire.session;
