/** Files from Maven repositories, fetched as the user's own Maven would fetch them. */
package org.fedometer.profiles.artifacts;
