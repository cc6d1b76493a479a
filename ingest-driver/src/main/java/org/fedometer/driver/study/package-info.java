/**
 * Studies of size: a collection that doubles, and an object that gets more and more datastreams.
 */
package org.fedometer.driver.study;
