/**
 * Reports as one HTML file each, which needs nothing else: data, script and style are in it. The
 * templates are in {@code src/main/jte}.
 */
package org.fedometer.analysis.html;
